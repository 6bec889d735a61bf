// A made-up language for tests: every sentence of the catalogue between brackets and a third longer, as German may be.
// What stands on a screen without brackets is not in the catalogue; what is cut here would be cut in German too.
export const pseudoName = 'x-pseudo';

const wide: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', O: 'Ó', U: 'Ú' };

/** One sentence, made longer. Numbers and brackets of its own stay. */
export function stretch(sentence: string): string {
  if (!/\p{L}/u.test(sentence)) return sentence;
  const more = Math.ceil(sentence.length * 0.35);
  // Words and not one long one: a language that is longer has more of them.
  const tail = 'lorem ipsum dolor sit amet '
    .repeat(Math.ceil(more / 27))
    .slice(0, more)
    .trim();
  return `⟦${sentence.replaceAll(/[aeiouAEOU]/g, (c) => wide[c] ?? c)} ${tail}⟧`;
}

/** A catalogue of the same shape. */
export function pseudo<T>(part: T): T {
  if (typeof part === 'string') return stretch(part) as T;
  if (typeof part === 'function') {
    const say = part as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]) => {
      const said = say(...args);
      return typeof said === 'string' ? stretch(said) : said;
    }) as unknown as T;
  }
  if (Array.isArray(part)) return part.map((x: unknown) => pseudo(x)) as T;
  if (typeof part === 'object' && part !== null) {
    return Object.fromEntries(Object.entries(part).map(([k, v]) => [k, pseudo(v as unknown)])) as T;
  }
  return part;
}
