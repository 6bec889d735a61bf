// The part of a video that the timeline shows, and how it moves. All times are milliseconds.

export interface View {
  from: number;
  to: number;
}

/** The shortest stretch that can be shown. */
const least = 2000;

export function whole(duration: number): View {
  return { from: 0, to: Math.max(1, duration) };
}

/** How far in a view is: 1 shows everything. */
export function zoomOf(v: View, duration: number): number {
  return Math.max(1, duration / Math.max(1, v.to - v.from));
}

export function maxZoom(duration: number): number {
  return Math.max(1, duration / least);
}

/** Zooms by a factor and keeps the moment `at` where it stands in the view. */
export function zoom(v: View, by: number, at: number, duration: number): View {
  const length = v.to - v.from;
  const wanted = Math.min(duration, Math.max(Math.min(least, duration), length / by));
  const part = length > 0 ? Math.min(1, Math.max(0, (at - v.from) / length)) : 0.5;
  return clamp({ from: at - part * wanted, to: at + (1 - part) * wanted }, duration);
}

/** Moves a view so that it begins at a time. */
export function move(v: View, from: number, duration: number): View {
  return clamp({ from, to: from + (v.to - v.from) }, duration);
}

/** Follows the playhead: turns the page when it leaves the view. */
export function keep(v: View, at: number, duration: number): View {
  const length = v.to - v.from;
  if (at >= v.from && at <= v.to) return v;
  return clamp({ from: at - length * 0.1, to: at + length * 0.9 }, duration);
}

function clamp(v: View, duration: number): View {
  const length = Math.min(v.to - v.from, duration);
  const from = Math.min(Math.max(0, v.from), Math.max(0, duration - length));
  return { from, to: from + length };
}

/** Where a time stands in a view, in percent. */
export function percent(v: View, ms: number): number {
  return ((ms - v.from) / Math.max(1, v.to - v.from)) * 100;
}

/**
 * Of the marks that would cover each other, the one that weighs most (the least number): nobody can point at the
 * others. `slots` is how many marks fit beside each other in the view.
 */
export function thin<T>(
  items: T[],
  v: View,
  slots: number,
  at: (item: T) => number,
  weight: (item: T) => number,
): { item: T; more: number }[] {
  const out = new Map<number, { item: T; more: number }>();
  for (const item of items) {
    const slot = Math.floor((percent(v, at(item)) / 100) * Math.max(1, slots));
    const there = out.get(slot);
    if (!there) out.set(slot, { item, more: 0 });
    else if (weight(item) < weight(there.item)) out.set(slot, { item, more: there.more + 1 });
    else there.more++;
  }
  return [...out.values()];
}

/** Puts spans into as few rows as they need without touching; at most `rows`, the last takes what is left. */
export function rows<T extends { start_ms: number; end_ms: number }>(
  spans: T[],
  gap: number,
  most: number,
): { item: T; row: number }[] {
  const ends: number[] = [];
  return spans.map((item) => {
    let row = ends.findIndex((end) => end + gap <= item.start_ms);
    if (row < 0) row = ends.length < most ? ends.length : most - 1;
    ends[row] = Math.max(ends[row] ?? 0, item.end_ms);
    return { item, row };
  });
}

/** Spans in a view as the stretches that an eye can part: those nearer to each other than `gap` are one. */
export function stretches(
  spans: { start_ms: number; end_ms: number }[],
  v: View,
  gap: number,
): { start_ms: number; end_ms: number }[] {
  const out: { start_ms: number; end_ms: number }[] = [];
  for (const { start_ms, end_ms } of spans) {
    if (end_ms < v.from || start_ms > v.to) continue;
    const last = out.at(-1);
    if (last && start_ms - last.end_ms < gap) last.end_ms = Math.max(last.end_ms, end_ms);
    else out.push({ start_ms, end_ms });
  }
  return out;
}
