// How the library's rows are searched, filtered and put in order.
import type { Summary } from '$lib/api';

export type Filter = 'all' | 'toReview' | 'decided' | 'missing';
export type Order = 'newest' | 'oldest' | 'byTitle' | 'bySeverity';

export function stateOf(r: Summary): 'signed' | 'decided' | 'toReview' | 'failed' {
  if (r.failed) return 'failed';
  if (r.signed) return 'signed';
  return r.decided >= r.findings ? 'decided' : 'toReview';
}

const keep: Record<Filter, (r: Summary) => boolean> = {
  all: () => true,
  toReview: (r) => stateOf(r) === 'toReview',
  decided: (r) => stateOf(r) === 'decided' || stateOf(r) === 'signed',
  missing: (r) => r.missing && r.duration_ms > 0,
};

const before: Record<Order, (a: Summary, b: Summary) => number> = {
  newest: (a, b) => b.added.localeCompare(a.added),
  oldest: (a, b) => a.added.localeCompare(b.added),
  byTitle: (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }),
  bySeverity: (a, b) => b.high - a.high || b.medium - a.medium || b.low - a.low || b.added.localeCompare(a.added),
};

/** Counts the rows of each filter. */
export function counts(rows: Summary[]): Record<Filter, number> {
  return {
    all: rows.length,
    toReview: rows.filter(keep.toReview).length,
    decided: rows.filter(keep.decided).length,
    missing: rows.filter(keep.missing).length,
  };
}

/** The rows to show. Every word of the query must stand in the title or the path. */
export function pick(rows: Summary[], filter: Filter, order: Order, query: string): Summary[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .filter(keep[filter])
    .filter((r) => {
      const hay = `${r.title}\n${r.path}\n${r.source_url ?? ''}`.toLocaleLowerCase();
      return words.every((w) => hay.includes(w));
    })
    .sort(before[order]);
}
