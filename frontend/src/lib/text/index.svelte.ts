// The sentences in the language that is set. Components read `text.t`, so that a change of language shows at once.
import { de } from './de';
import { en, type Catalogue } from './en';
import { translate } from '$lib/logic/said';
import { decimal, span } from '$lib/logic/time';
import type { Message } from '$lib/api';
import { pseudo, pseudoName } from './pseudo';

const catalogues: Record<string, Catalogue> = { en, de };

class Text {
  language = $state('en');
  private stretched = $state(false);
  t = $derived(this.stretched ? pseudo(en) : (catalogues[this.language] ?? en));

  set(language: string) {
    // Only tests ask for the made-up language: the settings refuse one that they do not offer.
    this.stretched = language === pseudoName;
    this.language = catalogues[language] ? language : 'en';
    document.documentElement.lang = this.language;
  }

  /** Titles of categories, as the Go side gives them. */
  titles = $state.raw<Record<string, string>>({});

  /** What the Go side says, in the language that is set; what no catalogue knows stays English. */
  said(what: { sentence: string; said?: Message }): string {
    return translate(this.t.problems, what.sentence, what.said);
  }

  /** A number with that many decimals. */
  decimal(n: number, digits: number): string {
    return decimal(n, digits, this.language);
  }

  /** How long something is. */
  span(ms: number): string {
    return span(ms, this.language);
  }

  /** Somebody's words between the language's quotation marks. */
  quote(words: string): string {
    const [before, after] = this.t.app.quotes;
    return before + words + after;
  }

  /** A category's title; before the titles are there, its id as words. */
  category(id: string): string {
    const title = this.titles[id];
    if (title) return title;
    const words = id
      .replaceAll(/[_.-]+/g, ' ')
      .trim()
      .replaceAll(/\b(apr|apy|finra|ftc|ipo|ira|nasaa|roi|sec|sipc|etf)\b/gi, (name) => name.toUpperCase());
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}

export const text = new Text();
