// Cuts a segment's text into runs that are drawn alike: flagged by a finding, hit by the search, one word with its
// time. The text itself is never changed: the runs joined are the text.
import type { Finding, Segment, Severity } from '$lib/api';

export interface Piece {
  text: string;
  start: number; // in the text
  word: number; // index of the word it belongs to, -1 for what is between words
  flag: Severity | null;
  finding: string | null;
  hit: number; // index of the search hit it belongs to, -1 for none
}

export interface Span {
  start: number;
  end: number;
}

export interface TimedSpan extends Span {
  ms: number;
  endMs: number;
}

const letters = /[\p{L}\p{N}]+(?:[’'.,%-]+[\p{L}\p{N}%]+)*%?/gu;

/**
 * Finds words in a text with their times: the recogniser's where it gave them (Review.words), else spread over the
 * segment.
 */
export function words(seg: Segment, packed = ''): TimedSpan[] {
  if (packed) return unpack(seg, packed);
  const found = [...seg.text.matchAll(letters)];
  const length = Math.max(1, seg.text.length);
  const at = (i: number) => Math.round(seg.start_ms + ((seg.end_ms - seg.start_ms) * i) / length);
  return found.map((m) => ({
    start: m.index,
    end: m.index + m[0].length,
    ms: at(m.index),
    endMs: at(m.index + m[0].length),
  }));
}

function unpack(seg: Segment, packed: string): TimedSpan[] {
  const n = packed.split(' ').map(Number);
  const out: TimedSpan[] = [];
  for (let i = 0; i + 3 < n.length; i += 4) {
    const [start = 0, end = 0, from = 0, to = 0] = n.slice(i, i + 4);
    out.push({ start, end, ms: seg.start_ms + from, endMs: seg.start_ms + to });
  }
  return out;
}

/** Where an excerpt stands in a text; null when it does not. Spaces and case may differ. */
export function locate(text: string, excerpt: string): Span | null {
  const wanted = excerpt.trim();
  if (!wanted) return null;
  const exact = text.indexOf(wanted);
  if (exact >= 0) return { start: exact, end: exact + wanted.length };
  const pattern = wanted
    .split(/\s+/)
    .map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\s+');
  const loose = new RegExp(pattern, 'iu').exec(text);
  return loose ? { start: loose.index, end: loose.index + loose[0].length } : null;
}

const rank: Record<Severity, number> = { high: 0, medium: 1, low: 2 };

/** The stretches of a segment that findings flag, by place; the graver one wins where two overlap. */
export function flags(seg: Segment, findings: Finding[]): { span: Span; severity: Severity; id: string }[] {
  return findings
    .flatMap((f) => {
      const span = locate(seg.text, f.excerpt);
      return span ? [{ span, severity: f.severity, id: f.id }] : [];
    })
    .sort((a, b) => rank[a.severity] - rank[b.severity] || a.span.start - b.span.start);
}

/** Cuts a text at every border of its words, flags and hits. */
export function pieces(
  text: string,
  timed: TimedSpan[],
  flagged: { span: Span; severity: Severity; id: string }[],
  hits: Span[],
): Piece[] {
  const borders = new Set([0, text.length]);
  for (const s of [...timed, ...flagged.map((f) => f.span), ...hits]) {
    borders.add(s.start);
    borders.add(s.end);
  }
  const cuts = [...borders].filter((b) => b >= 0 && b <= text.length).sort((a, b) => a - b);
  const out: Piece[] = [];
  let word = 0;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const start = cuts[i] ?? 0;
    const end = cuts[i + 1] ?? text.length;
    while (word < timed.length && (timed[word]?.end ?? 0) <= start) word++;
    const inside = timed[word];
    const of = inside && inside.start <= start ? word : -1;
    const flag = flagged.find((f) => f.span.start <= start && end <= f.span.end);
    out.push({
      text: text.slice(start, end),
      start,
      word: of,
      flag: flag?.severity ?? null,
      finding: flag?.id ?? null,
      hit: hits.findIndex((h) => h.start <= start && end <= h.end),
    });
  }
  return out;
}

/** Every place where a query stands in a text, without regard to case. */
export function search(text: string, query: string): Span[] {
  const wanted = query.trim().toLocaleLowerCase();
  if (!wanted) return [];
  const hay = text.toLocaleLowerCase();
  if (hay.length !== text.length) return []; // a letter that changes its length with its case: none in our languages
  const out: Span[] = [];
  for (let i = hay.indexOf(wanted); i >= 0; i = hay.indexOf(wanted, i + wanted.length)) {
    out.push({ start: i, end: i + wanted.length });
  }
  return out;
}

/** The last item that begins at or before a time, by binary search; -1 before the first. */
export function lastBefore<T>(items: T[], ms: number, start: (item: T) => number): number {
  let lo = 0;
  let hi = items.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (start(items[mid] as T) <= ms) lo = mid + 1;
    else hi = mid;
  }
  return lo - 1;
}
