// The languages of words that are not the window's own, for whoever reads them aloud.

/** The value of a `lang` attribute; empty, as HTML has it, where the language is not known. */
export function langOf(code: string | undefined): string {
  return !code || code === 'und' || code === 'auto' ? '' : code;
}

/** The language of a paragraph: official texts and cards are English, a firm's own rule may be in any. */
export function ruleLang(citation: string): string {
  return /^(\d+ CFR|FINRA) /.test(citation) ? 'en' : '';
}
