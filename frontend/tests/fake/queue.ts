// The queue and the storage of the fake Go side.
import type { Batch, Disk, Job, NewBatch, Queued } from '../../src/lib/api';

const job = (id: string, title: string, state: Job['state'], more: Partial<Job> = {}): Job => ({
  id,
  input: `/home/lena/Videos/${id}.mp4`,
  title,
  state,
  priority: 0,
  high: 0,
  medium: 0,
  low: 0,
  findings: 0,
  ...more,
});

const rows = (): Job[] => [
  job('j1', 'Halyard quarterly call', 'queued'),
  job('j2', 'Three funds in three minutes', 'queued'),
  job('j3', 'What is a covered call?', 'queued'),
  job('j4', 'https://video.example/list/8Hq2', 'failed', {
    input: 'https://video.example/list/8Hq2',
    list: true,
    problem: { code: 'usage', sentence: 'This address is a list of 3 videos. Choose which of them to audit.' },
  }),
  job('j5', 'https://video.example/w/long', 'failed', {
    input: 'https://video.example/w/long',
    limit: true,
    problem: { code: 'usage', sentence: 'The video lasts 3:10:00, more than the limit of 2:00:00.' },
  }),
  job('j6', 'broken', 'failed', { problem: { code: 'input', sentence: 'The file “broken.mp4” is empty.' } }),
  job('j7', 'The boring half of investing', 'done', { audit_id: 'a1', high: 2, medium: 3, low: 1, findings: 6 }),
  job('j8', 'A quiet week', 'done', { audit_id: 'a5' }),
];

export function fakeQueue(full: boolean, emit: (name: string, what: unknown) => void) {
  let jobs: Job[] = full ? rows() : [];
  let watched: string[] = full ? ['/home/lena/Videos/inbox'] : [];
  const disk: Disk = {
    kinds: [
      { kind: 'copies', bytes: 2.1e9, items: 3, cleanable: true },
      { kind: 'sound', bytes: 4.6e8, items: 14, cleanable: true },
      { kind: 'pictures', bytes: 3.3e7, items: 14, cleanable: true },
      { kind: 'downloads', bytes: 0, items: 0, cleanable: true },
      { kind: 'temporary', bytes: 0, items: 0, cleanable: false },
      { kind: 'models', bytes: 1.4e9, items: 9, cleanable: false },
      { kind: 'database', bytes: 6.1e7, items: 3, cleanable: false },
    ],
    cache_bytes: 2.593e9,
    quota_bytes: 20e9,
    free_bytes: 61e9,
  };
  const changed = () => emit('queue', null);
  const find = (id: string) => jobs.find((j) => j.id === id);
  const order = () => {
    const rank = { working: 0, queued: 1, failed: 2, done: 3, cancelled: 4 };
    jobs = [...jobs].sort((a, b) => rank[a.state] - rank[b.state]);
    changed();
  };
  return {
    BatchService: {
      List: (): Batch => ({ jobs: jobs.map((j) => ({ ...j })), watched }),
      Add: (n: NewBatch): Queued => {
        const bad = n.inputs.filter((i) => i.includes('none'));
        for (const input of n.inputs.filter((i) => !bad.includes(i))) {
          jobs.push(job(`n${jobs.length}`, input.split('/').pop() ?? input, 'queued', { input }));
        }
        order();
        return {
          added: n.inputs.length - bad.length,
          passed: bad.map((input) => ({ input, why: `There is no file ${input}.` })),
        };
      },
      ChooseFolder: () => '/home/lena/Videos/inbox',
      Move: (id: string, before: string) => {
        const moved = find(id);
        if (!moved) return;
        jobs = jobs.filter((j) => j !== moved);
        const at = before ? jobs.findIndex((j) => j.id === before) : jobs.filter((j) => j.state === 'queued').length;
        jobs.splice(at, 0, moved);
        changed();
      },
      Prioritise: () => undefined,
      Retry: (id: string) => {
        jobs = jobs.map((j) => (j.id === id ? job(j.id, j.title, 'queued', { input: j.input }) : j));
        order();
      },
      Replace: (id: string, inputs: string[]): Queued => {
        jobs = jobs.filter((j) => j.id !== id);
        for (const input of inputs) jobs.push(job(input, input, 'queued', { input }));
        order();
        return { added: inputs.length, passed: [] };
      },
      Cancel: (id: string) => {
        jobs = jobs.map((j) => (j.id === id ? { ...j, state: 'cancelled' as const } : j));
        order();
      },
      Remove: (id: string) => {
        jobs = jobs.filter((j) => j.id !== id);
        changed();
      },
      Clear: () => {
        jobs = jobs.filter((j) => j.state !== 'done' && j.state !== 'cancelled');
        changed();
      },
      Watch: (folder: string) => {
        watched = [...watched, folder];
        changed();
      },
      Unwatch: (folder: string) => {
        watched = watched.filter((f) => f !== folder);
        changed();
      },
    },
    StorageService: {
      Get: () => disk,
      Clean: (kind: string) => {
        const found = disk.kinds.find((k) => k.kind === kind);
        const freed = found?.bytes ?? 0;
        if (found) found.bytes = 0;
        disk.cache_bytes -= freed;
        return freed;
      },
      SetQuota: (bytes: number) => {
        disk.quota_bytes = bytes;
        return 0;
      },
    },
  };
}
