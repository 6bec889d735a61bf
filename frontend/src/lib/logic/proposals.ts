// What a video, its page or its description says of the facts: proposed, with its place, never set by itself.
import type { Facts, ProposedFact } from '$lib/api';

export type Question = 'speaker' | 'paid' | 'sponsor' | 'audience' | 'options';
export const questions: Question[] = ['speaker', 'paid', 'sponsor', 'audience', 'options'];

/** The proposals for one question, each value once. */
export function proposalsFor(all: ProposedFact[], question: string): ProposedFact[] {
  const seen = new Set<string>();
  return all.filter((p) => p.fact === question && !seen.has(p.value) && seen.add(p.value));
}

/** How many questions without an answer the video itself answers. */
export function answers(all: ProposedFact[], facts: Facts): number {
  return questions.filter((q) => facts[q] === 'unknown' && all.some((p) => p.fact === q)).length;
}
