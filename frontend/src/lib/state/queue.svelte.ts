// The queue of audits as the database has it: one row each, also those that another process works on.
import { batches, on, type Job } from '$lib/api';
import { app } from './app.svelte';

class Queue {
  jobs = $state.raw<Job[]>([]);
  watched = $state.raw<string[]>([]);
  private begun = false;

  start() {
    if (!this.begun) {
      this.begun = true;
      on('queue', () => void this.read());
    }
    void this.read();
  }

  async read() {
    try {
      const got = await batches.List();
      this.jobs = got.jobs;
      this.watched = got.watched;
    } catch {
      // The library reads the same database and says what is wrong with it.
    }
  }

  /** Does something to the queue and reads it again; says whether it was done. */
  async act(f: () => Promise<unknown>): Promise<boolean> {
    try {
      await f();
    } catch (e) {
      app.fail(e);
      return false;
    } finally {
      await this.read();
    }
    return true;
  }

  get waiting(): Job[] {
    return this.jobs.filter((j) => j.state === 'queued');
  }

  count(state: Job['state']): number {
    return this.jobs.filter((j) => j.state === state).length;
  }

  /** Moves a job that waits by one place. */
  move(job: Job, by: 1 | -1) {
    const list = this.waiting;
    const at = list.findIndex((j) => j.id === job.id);
    const before = by < 0 ? list[at - 1] : list[at + 2];
    if (at < 0 || (by < 0 && !before)) return;
    void this.act(() => batches.Move(job.id, before?.id ?? ''));
  }
}

export const queue = new Queue();
