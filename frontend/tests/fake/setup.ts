// Models, downloads and the server of language models, as a computer before its set-up and after it has them.
import type { Download, Model, Ollama, Setup, TextSource, Trial } from '../../src/lib/api';

const MB = 1_000_000;
const model = (m: Partial<Model> & Pick<Model, 'name' | 'kind' | 'size' | 'memory'>): Model => ({
  state: 'missing',
  default: false,
  user: false,
  used: false,
  chosen: false,
  fits: 'well',
  licence: 'Apache-2.0',
  ...m,
});

const sha = 'af68f6681a9c4f2b8e11d0c7a3b52e90d4c8f7a6b5e4d3c2b1a09f8e7d6ce13f';

function models(ready: boolean): Model[] {
  const state = ready ? 'installed' : 'missing';
  return [
    model({
      name: 'whisper-base',
      kind: 'whisper',
      size: 148 * MB,
      memory: 600 * MB,
      default: true,
      state,
      used: ready,
      ...(ready ? { sha256: sha } : {}),
      licence: 'MIT',
    }),
    model({ name: 'whisper-tiny.en', kind: 'whisper', size: 78 * MB, memory: 400 * MB, licence: 'MIT' }),
    model({ name: 'ppocr-v6-small', kind: 'ocr', size: 31 * MB, memory: 300 * MB, default: true, state, used: ready }),
    model({
      name: 'regulation-embedder',
      kind: 'embedder',
      size: 23 * MB,
      memory: 200 * MB,
      default: true,
      state: 'built-in',
      used: true,
    }),
    model({
      name: 'regulation-reranker',
      kind: 'reranker',
      size: 24 * MB,
      memory: 200 * MB,
      default: true,
      state: 'built-in',
      used: true,
    }),
    model({ name: 'ms-marco-minilm-l-6-v2', kind: 'reranker', size: 92 * MB, memory: 300 * MB }),
    model({
      name: 'regulation-screener',
      kind: 'screener',
      size: 24 * MB,
      memory: 150 * MB,
      default: true,
      state: 'built-in',
      used: true,
    }),
    model({
      name: 'qwen2.5-coder-1.5b',
      kind: 'llm',
      size: 1117 * MB,
      memory: 2500 * MB,
      default: true,
      state,
      used: ready,
      ...(ready ? { sha256: sha } : {}),
    }),
    model({
      name: 'qwen2.5-coder-0.5b',
      kind: 'llm',
      size: 491 * MB,
      memory: 1200 * MB,
      state: ready ? 'installed' : 'missing',
    }),
    model({ name: 'qwen2.5-7b', kind: 'llm', size: 4700 * MB, memory: 8000 * MB, fits: 'not', state: 'ollama' }),
  ];
}

export function equipment(ready: boolean, empty: boolean, speed: number, emit: (name: string, data: unknown) => void) {
  let list = models(ready);
  let downloads: Download[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;
  let chosenRef = '';
  let fetched = ready;

  const isReady = () => ['whisper', 'llm'].every((k) => list.some((m) => m.kind === k && m.state === 'installed'));
  const put = (name: string, change: Partial<Download>) => {
    downloads = downloads.map((d) => (d.name === name ? { ...d, ...change } : d));
    emit('downloads', downloads);
  };

  function step() {
    const d = downloads.find((x) => x.state === 'runs') ?? downloads.find((x) => x.state === 'waits');
    if (!d) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const total = list.find((m) => m.name === d.name)?.size ?? 1;
    const done = Math.min(total, d.progress.done + 3.2 * MB * speed);
    if (done < total) {
      put(d.name, {
        state: 'runs',
        progress: { stage: 'download', done, total, rate: 6_400_000, left_ms: ((total - done) / 6_400_000) * 1000 },
      });
      return;
    }
    put(d.name, { state: 'done', progress: { stage: 'done', done: total, total, rate: 0, left_ms: 0 } });
    list = list.map((m) =>
      m.name === d.name ? { ...m, state: 'installed', used: m.kind !== 'reranker', sha256: sha } : m,
    );
    emit('models', null);
  }

  const sources = (): TextSource[] =>
    [
      ['ftc-255', 'FTC', '16 CFR 255', 'Guides on endorsements and testimonials'],
      ['sec-206-4-1', 'SEC', '17 CFR 275.206(4)-1', 'Investment adviser marketing'],
      ['finra-2210', 'FINRA', 'FINRA 2210', 'Communications with the public'],
      ['finra-2220', 'FINRA', 'FINRA 2220', 'Options communications'],
      ['cfpb-1005', 'CFPB', '12 CFR 1005', 'Electronic fund transfers'],
    ].map(([id = '', regulator = '', covers = '', title = ''], i) => ({
      id,
      regulator,
      covers,
      title,
      page: '',
      usual: i < 4,
      ...(fetched ? { as_of: '2026-11-20' } : {}),
    }));

  return {
    texts: {
      sources,
      fetch: async (ids: string[]) => {
        for (const [n, file] of ids.entries()) {
          emit('import', { step: 'file', file, done: n, total: ids.length });
          await new Promise((later) => setTimeout(later, 150 / speed));
        }
        fetched = true;
        emit('rules', null);
        return {
          imported: sources()
            .filter((s) => ids.includes(s.id))
            .map((s) => ({
              id: `${s.id}@2026-11-20`,
              title: s.title,
              file: s.id,
              state: 'imported',
              as_of: '2026-11-20',
              sha256: sha,
              sections: 6,
              paragraphs: 87,
              passages: 60,
              remarks: [],
            })),
          failures: [],
          unread: false,
        };
      },
    },
    service: {
      State: (): Setup => ({
        machine: { memory: 8_200 * MB, free_memory: 5_600 * MB, free_disk: 212_000 * MB, cores: 8 },
        models: list,
        downloads,
        ready: isReady(),
        wanted: !isReady() && empty,
      }),
      Downloads: () => downloads,
      Pull: (names: string[]) => {
        for (const name of names) {
          const was = downloads.find((d) => d.name === name);
          downloads = [
            ...downloads.filter((d) => d.name !== name),
            { name, state: 'waits', progress: was?.progress ?? { stage: '', done: 0, total: 0, rate: 0, left_ms: 0 } },
          ];
        }
        emit('downloads', downloads);
        timer ??= setInterval(step, 100);
      },
      Pause: (name: string) => put(name, { state: 'paused' }),
      Forget: (name: string) => {
        downloads = downloads.filter((d) => d.name !== name);
        emit('downloads', downloads);
      },
      ChooseModel: () => '/home/lena/Downloads/llama-3.1-8b.Q4_K_M.gguf',
      Import: () => {
        list = [
          ...list,
          model({
            name: 'llama-3.1-8b.q4_k_m',
            kind: 'llm',
            size: 4900 * MB,
            memory: 0,
            state: 'installed',
            user: true,
            licence: '',
          }),
        ];
        emit('models', null);
        return 'llama-3.1-8b.q4_k_m';
      },
      Remove: (name: string) => {
        list = list
          .filter((m) => !(m.name === name && m.user))
          .map((m) => (m.name === name ? { ...m, state: 'missing', used: false } : m));
        emit('models', null);
      },
      Use: (kind: string, name: string) => {
        chosenRef = name.startsWith('ollama:') ? name.slice(7) : '';
        list = list.map((m) =>
          m.kind === kind
            ? { ...m, used: name ? m.name === name : m.default, chosen: name !== '' && m.name === name }
            : m,
        );
        emit('models', null);
      },
      Ollama: (): Ollama => ({
        state: 'running',
        address: '127.0.0.1:11434',
        version: '0.17.4',
        models: [
          {
            ref: 'llama3.1:8b',
            size: 4_900 * MB,
            details: 'llama, 8.0B, Q4_K_M',
            ours: false,
            used: chosenRef === 'llama3.1:8b',
          },
          {
            ref: 'veristream/qwen2.5-coder-1.5b:cc324af0',
            size: 1_117 * MB,
            details: 'qwen2, 1.5B, Q4_K_M',
            ours: true,
            used: false,
          },
        ],
      }),
      Try: async (): Promise<Trial> => {
        await new Promise((later) => setTimeout(later, 200));
        return {
          model: 'qwen2.5-coder-1.5b',
          reply: 'A disclosure tells the audience about a tie between the speaker and a firm.',
          ms: 2_340,
          rate: 27.6,
        };
      },
    },
  };
}
