// The queue as the Go side tells it: a list of runs, kept up by updates that carry only what is new.
import { audits, on, type Run, type RunUpdate } from '$lib/api';
import { app } from './app.svelte';

/** A stage that runs and has not moved for so long is said to be stalled; the language model reads long before it
 * gives its first answer. */
const stallAfter = (stage: string) => (stage === 'judge' ? 180_000 : 45_000);

class Runs {
  list = $state.raw<Run[]>([]);
  now = $state(Date.now());
  private moved = new Map<string, { mark: string; at: number }>();

  start() {
    on('run', (u) => {
      this.take(u);
    });
    setInterval(() => {
      if (this.list.some((r) => r.state === 'working')) this.now = Date.now();
    }, 1000);
    void this.read();
  }

  async read() {
    try {
      this.list = await audits.Runs();
    } catch (e) {
      app.fail(e);
    }
  }

  get busy(): Run[] {
    return this.list.filter((r) => r.state === 'working' || r.state === 'queued');
  }

  find(id: string): Run | undefined {
    return this.list.find((r) => r.id === id);
  }

  /** The stage that has not moved for too long, and for how long. */
  stalled(run: Run): { stage: string; ms: number } | null {
    if (run.state !== 'working') return null;
    for (const s of run.stages) {
      const seen = this.moved.get(`${run.id} ${s.stage}`);
      if (s.state === 'runs' && seen && this.now - seen.at > stallAfter(s.stage)) {
        return { stage: s.stage, ms: this.now - seen.at };
      }
    }
    return null;
  }

  /** Takes the present moment as the last at which the stages moved. */
  wait(run: Run) {
    for (const seen of this.moved.values()) seen.at = Date.now();
    this.now = Date.now();
    this.list = this.list.map((r) => (r.id === run.id ? { ...r } : r));
  }

  private take(u: RunUpdate) {
    const old = this.find(u.id);
    if (!old || old.segments.length < u.segments_from || old.findings.length < u.findings_from) {
      void this.read(); // an update was missed, or the run is new
      return;
    }
    for (const s of u.stages) {
      const key = `${u.id} ${s.stage}`;
      const mark = `${s.state} ${s.done}`;
      if (this.moved.get(key)?.mark !== mark) this.moved.set(key, { mark, at: Date.now() });
    }
    const { segments_from, segments, findings_from, findings, ...rest } = u;
    const next: Run = {
      ...old,
      ...rest,
      segments: segments.length ? [...old.segments.slice(0, segments_from), ...segments] : old.segments,
      findings: findings.length ? [...old.findings.slice(0, findings_from), ...findings] : old.findings,
    };
    if (u.video?.title) next.title = u.video.title;
    this.list = this.list.map((r) => (r.id === u.id ? next : r));
  }
}

export const runs = new Runs();
