// What an answer rests on: its numbers, its quotes, and how it is to be drawn.
import type { Answer, AskRequest, Exchange, FoundPassage, Sentence, Support } from '$lib/api';

/** A quote that sentences rest on, under one number. */
export interface Reference {
  number: number;
  support: Support;
  passage: FoundPassage | undefined;
}

/** A sentence with the numbers of what it rests on. */
export interface Numbered {
  sentence: Sentence;
  text: string;
  numbers: number[];
}

const same = (a: Support, b: Support) => a.passage === b.passage && a.citation === b.citation && a.quote === b.quote;

/** Numbers what sentences rest on, in the order of reading; what two of them rest on has one number. */
export function numbered(answer: Pick<Answer, 'sentences' | 'passages'>): {
  sentences: Numbered[];
  references: Reference[];
} {
  const references: Reference[] = [];
  const sentences = answer.sentences.map((sentence) => ({
    sentence,
    text: spoken(sentence),
    numbers: sentence.support.map((support) => {
      const known = references.find((r) => same(r.support, support));
      if (known) return known.number;
      const number = references.length + 1;
      references.push({ number, support, passage: answer.passages.find((p) => p.rank === support.passage) });
      return number;
    }),
  }));
  return { sentences, references };
}

/** A sentence without the citation that the engine writes before a paragraph's own words: it stands beside it. */
function spoken(s: Sentence): string {
  const cite = s.support[0]?.citation ?? '';
  return s.verbatim && cite && s.text.startsWith(`${cite}: `) ? s.text.slice(cite.length + 2) : s.text;
}

/** An answer in its two parts: the sources' own words, and what the language model says of them. A quote that is told
 *  as a sentence is not told twice, so `rests` holds only what else the model's sentences rest on. */
export function parted(answer: Pick<Answer, 'sentences' | 'passages'>): {
  own: Numbered[];
  said: Numbered[];
  rests: Reference[];
  references: Reference[];
} {
  const { sentences, references } = numbered(answer);
  const own = sentences.filter((s) => s.sentence.verbatim);
  const said = sentences.filter((s) => !s.sentence.verbatim);
  const told = new Set(own.flatMap((s) => s.numbers));
  return { own, said, references, rests: references.filter((r) => !told.has(r.number)) };
}

/** A quote as it is read: a table's row without its bars. */
export function plainQuote(quote: string): string {
  const text = quote.trim();
  if (!text.startsWith('|')) return text;
  return text
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((c) => c.trim())
    .filter(Boolean)
    .join(' · ');
}

/** Puts an update in its place; one that nobody knows yet is the newest. */
export function merge(list: Exchange[], update: Exchange): Exchange[] {
  return list.some((e) => e.id === update.id) ? list.map((e) => (e.id === update.id ? update : e)) : [...list, update];
}

export interface Thread {
  id: string;
  title: string; // its first question
  count: number;
}

/** The threads of a session, the newest first. */
export function threads(list: Exchange[]): Thread[] {
  const out = new Map<string, Thread>();
  for (const e of list) {
    const t = out.get(e.request.thread);
    if (t) t.count++;
    else out.set(e.request.thread, { id: e.request.thread, title: e.request.text, count: 1 });
  }
  return [...out.values()].reverse();
}

/** The questions in which every word of a query stands. */
export function matching<T extends { text: string }>(list: T[], query: string): T[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return words.length ? list.filter((q) => words.every((w) => q.text.toLocaleLowerCase().includes(w))) : list;
}

/** The same question with one filter that was read from it taken away. */
export function withoutFilter(request: AskRequest, from: string): AskRequest {
  return { ...request, without: [...new Set([...request.without, from])] };
}

export type Block = { kind: 'text'; text: string } | { kind: 'table'; rows: { raw: string; cells: string[] }[] };

const rule = (line: string) => line.includes('---') && !line.replace(/[|\-: ]/g, '');

/** Cuts a passage into paragraphs and tables. */
export function blocks(text: string): Block[] {
  const out: Block[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (!line || rule(line)) continue;
    if (!line.startsWith('|')) {
      out.push({ kind: 'text', text: line });
      continue;
    }
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((c) => c.trim());
    const last = out[out.length - 1];
    if (last?.kind === 'table') last.rows.push({ raw: line, cells });
    else out.push({ kind: 'table', rows: [{ raw: line, cells }] });
  }
  return out;
}
