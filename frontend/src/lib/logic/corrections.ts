// A person's words for lines of a transcript, as far as the audit that is shown was made without them.
import type { Correction, Segment } from '$lib/api';

/** What the machine made of a line. */
export const machineText = (s: Segment): string => s.corrected?.machine ?? s.text;

const key = (source: string, start: number, end: number, machine: string) => `${source} ${start} ${end} ${machine}`;

/** The corrections by the ids of their lines. */
export function byLine(segments: Segment[], corrections: Correction[]): Map<string, Correction> {
  const last = new Map(corrections.map((c) => [key(c.source, c.start_ms, c.end_ms, c.machine), c]));
  const out = new Map<string, Correction>();
  for (const s of segments) {
    const c = last.get(key(s.source, s.start_ms, s.end_ms, machineText(s)));
    if (c) out.set(s.id, c);
  }
  return out;
}

/** A line as the person has it; the times of its words are no more than a guess until it is audited. */
export function corrected(s: Segment, c: Correction | undefined): Segment {
  if (!c) return s;
  const rest = { ...s };
  delete rest.flag;
  const mark = { machine: c.machine, by: c.by, at: c.at };
  return c.text ? { ...rest, text: c.text, corrected: mark } : { ...rest, flag: 'struck', corrected: mark };
}
