// What an audit's findings are to those of the audit before it.
import type { CarriedFinding, EarlierFinding, Since } from '$lib/api';

/** New; on words that were changed; there before. */
export type Kind = 'new' | 'changed' | 'carried';

/** Which findings are shown: all, those that need a look, those that were there before. */
export type Among = 'all' | 'new' | 'carried';

export interface Earlier {
  kind: Kind;
  /** What the earlier audit had; empty for what is new. */
  was: EarlierFinding[];
  carried: CarriedFinding | null;
}

/** Says of each finding what the comparison came to. */
export function index(since: Since | undefined): Map<string, Earlier> {
  const out = new Map<string, Earlier>();
  for (const n of since?.new ?? []) {
    out.set(n.finding_id, { kind: n.was ? 'changed' : 'new', was: n.was ? [n.was] : [], carried: null });
  }
  for (const c of since?.carried ?? []) out.set(c.finding_id, { kind: 'carried', was: c.was, carried: c });
  return out;
}

/** Whether a finding belongs to what is shown. A claim on changed words counts as new: nothing is decided about it. */
export function belongs(e: Earlier | undefined, among: Among): boolean {
  if (among === 'all' || !e) return among === 'all';
  return (e.kind === 'carried') === (among === 'carried');
}
