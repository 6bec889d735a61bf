// What the set-up page makes of models and downloads.
import type { Download, Model } from '$lib/api';

const here = ['installed', 'built-in', 'unverified'];

export const isHere = (m: Model) => here.includes(m.state) || (m.state === 'ollama' && m.used);

/** Models of a kind among which one is chosen, the smallest first. */
export function choices(models: Model[], kind: string): Model[] {
  return models.filter((m) => m.kind === kind && !m.user).sort((a, b) => a.memory - b.memory);
}

/** The size to offer first: the usual one, or the largest that fits where that does not. */
export function offer(models: Model[], kind: string): string {
  const list = choices(models, kind);
  const have = list.find((m) => m.used) ?? list.find(isHere);
  if (have) return have.name;
  const usual = list.find((m) => m.default);
  if (usual && usual.fits !== 'not') return usual.name;
  const fitting = list.filter((m) => m.fits !== 'not');
  return (fitting[fitting.length - 1] ?? list[0])?.name ?? '';
}

/** What is still to be fetched of the wanted models. */
export function lacking(models: Model[], wanted: string[]): Model[] {
  return models.filter((m) => wanted.includes(m.name) && !isHere(m));
}

export interface Whole {
  share: number;
  left_ms: number; // 0: not known
  active: boolean;
}

/** All downloads as one: share of the bytes, and the time that the rate of the running one leaves. */
export function whole(downloads: Download[], models: Model[]): Whole {
  const of = (d: Download) => d.progress.total || models.find((m) => m.name === d.name)?.size || 1;
  const open = downloads.filter((d) => d.state !== 'failed');
  const total = open.reduce((n, d) => n + of(d), 0);
  const done = open.reduce((n, d) => n + (d.state === 'done' ? of(d) : d.progress.done), 0);
  const running = downloads.find((d) => d.state === 'runs');
  const rate = running?.progress.rate ?? 0;
  const rest = downloads
    .filter((d) => d.state === 'runs' || d.state === 'waits')
    .reduce((n, d) => n + of(d) - d.progress.done, 0);
  return {
    share: total ? done / total : 0,
    left_ms: rate ? (rest / rate) * 1000 : 0,
    active: downloads.some((d) => d.state === 'runs' || d.state === 'waits'),
  };
}
