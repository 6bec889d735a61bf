// A fake of the Go side: the same services and events, in memory, always the same. It stands where Wails puts the
// real ones, so that the window's own code is tested whole.
import type {
  Approval,
  AskRequest,
  CheckedReport,
  Correction,
  Decision,
  Exchange,
  Finding,
  ImportReport,
  ImportRequest,
  Installed,
  NewAudit,
  Problem,
  Progress,
  ReportSigner,
  Review,
  Run,
  RunUpdate,
  Segment,
  Settings,
  Stage,
  Summary,
} from '../../src/lib/api';
import * as data from './data';
import { inGerman, titles } from './german';
import { takeWords } from './pack';
import { fakeQueue } from './queue';
import * as rules from './rules';
import { equipment } from './setup';

export interface Options {
  media: string; // address of a video
  frames: string; // address of its pictures
  rows: 'some' | 'none' | 'many';
  broken: boolean; // the services fail
  settings: Partial<Settings>;
  speed: number; // of a run
  stall: boolean;
  model: string; // language model; empty: none
  documents: boolean; // one is imported
  slow: boolean; // an answer takes long
  empty: boolean; // no rule is installed
  queue: boolean; // it has rows
  since: boolean; // the first audit is compared with an earlier one
  ready: boolean; // models are installed
  proposals: boolean; // the audits say what the video states of its facts
  tampered: boolean; // the report on disk was changed
  siteless: boolean; // the page of a link gives no answer
}

const stages: Stage[] = ['probe', 'audio', 'transcribe', 'screen', 'screening', 'judge', 'tests', 'verify'];

export function install(target: Window & typeof globalThis, given: Partial<Options>) {
  const o: Options = {
    media: '',
    frames: '',
    rows: 'some',
    broken: false,
    settings: {},
    speed: 1,
    stall: false,
    model: 'qwen2.5-coder-1.5b',
    documents: true,
    slow: false,
    empty: false,
    queue: false,
    since: false,
    ready: true,
    proposals: false,
    tampered: false,
    siteless: false,
    ...given,
  };
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const emit = (name: string, what: unknown) => {
    remember(what);
    listeners.get(name)?.forEach((fn) => {
      fn(what);
    });
  };
  const problem = (sentence: string): Problem => ({ code: 'input', sentence, details: 'what a tool said' });
  // Every text that the services gave: what else stands on the screen is the window's own.
  const said = new Set<string>();
  const remember = (what: unknown) => {
    if (typeof what === 'string') said.add(what);
    else if (typeof what === 'object' && what !== null) Object.values(what).forEach(remember);
  };
  const calls: { name: string; args: unknown[] }[] = [];

  let rows: Summary[] =
    o.rows === 'none'
      ? []
      : o.rows === 'some'
        ? data.rows.map((r) => ({
            ...r,
            ...(o.frames && r.has_video && !r.missing ? { thumb: `${o.frames}?ms=20000&w=160` } : {}),
          }))
        : Array.from({ length: 2000 }, (_, i) => ({
            ...(data.rows[i % data.rows.length] as Summary),
            id: `m${i}`,
            title: `Audit number ${i + 1}`,
          }));
  let deleted: Summary[] = [];
  const record = new Map<string, Decision[]>([['a1', [...data.decisions, ...(o.since ? data.carriedDecisions : [])]]]);
  let since = o.since ? data.since : undefined;
  const positions = new Map<string, number>();
  let offline = false;
  let settings: Settings = {
    theme: 'light',
    language: 'en',
    zoom: 100,
    reviewer: 'L. Brandt',
    organisation: 'Calder Reach',
    approver: 'J. Weil',
    acting: 'preparer',
    set_up: false,
    keys: {},
    profiles: [{ name: 'Calder Reach: outside creators', facts: { ...data.result.facts } }],
    ...o.settings,
  };
  const runs: Run[] = [];
  const timers = new Map<string, ReturnType<typeof setInterval>>();

  const queue = fakeQueue(o.queue, emit);
  const corrections: Correction[] = [];
  const pending = (segments: Segment[]) =>
    segments.flatMap((s) => {
      const c = corrections.filter((x) => x.start_ms === s.start_ms && x.machine === s.text).pop();
      return c && c.text !== s.text ? [c] : [];
    });

  function open(id: string): Review {
    const row = rows.find((r) => r.id === id);
    const result = id === 'huge' ? data.huge() : { ...data.result, id };
    if (row)
      result.video = {
        ...result.video,
        title: row.title,
        path: row.path,
        has_video: row.has_video,
        has_audio: row.has_video,
      };
    const media = o.media && row?.missing !== true && result.video.has_video;
    if (id === 'a5') result.findings = [];
    if (o.proposals) result.proposed_facts = data.proposed;
    if (id === 'a1' && since) result.since = since;
    const taken = takeWords(result.segments);
    const told = settings.language === 'de' ? inGerman(result) : { result, foreign: {} };
    return {
      result: { ...told.result, segments: taken.segments },
      foreign: told.foreign,
      words: taken.words,
      corrections: pending(result.segments),
      decisions: record.get(id) ?? [],
      playable: !!media,
      missing: row?.missing ?? false,
      position_ms: positions.get(id) ?? 0,
      measured: { finra_promissory: { right: 12, of: 19 } },
      formats: [
        { id: 'pdf', extension: '.pdf' },
        { id: 'json', extension: '.json' },
        { id: 'csv', extension: '.csv' },
        { id: 'srt', extension: '.srt' },
      ],
    };
  }

  function begin(run: Run) {
    run.state = 'working';
    let tick = 0;
    const lines = data.result.segments.filter((s) => s.source !== 'description');
    lines.sort((a, b) => a.start_ms - b.start_ms);
    const total = 40;
    let sent = 0;
    let found = 0;
    const timer = setInterval(() => {
      tick = o.stall ? Math.min(tick + 1, 18) : tick + 1;
      const share = tick / total;
      run.stages = stages.map((stage, i) => stageAt(stage, i, share, tick * 100 * 8));
      const until = Math.floor(lines.length * Math.min(1, share * 1.4));
      const segments: Segment[] = lines.slice(sent, until);
      const upTo = Math.floor(data.result.findings.length * Math.max(0, Math.min(1, (share - 0.3) * 1.6)));
      const findings: Finding[] = data.result.findings.slice(found, upTo);
      const update: RunUpdate = {
        id: run.id,
        state: 'working',
        stages: run.stages,
        video: data.result.video,
        segments_from: sent,
        segments,
        findings_from: found,
        findings,
        share: Math.min(1, share),
        elapsed_ms: tick * 800,
        left_ms: share > 0.1 ? (total - tick) * 800 : 0,
      };
      sent = Math.max(sent, until);
      found = Math.max(found, upTo);
      run.segments = lines.slice(0, sent);
      run.findings = data.result.findings.slice(0, found);
      run.video = data.result.video;
      run.share = update.share;
      run.elapsed_ms = update.elapsed_ms;
      if (tick >= total) {
        update.state = run.state = 'done';
        update.audit_id = run.audit_id = 'a1';
        update.left_ms = 0;
        clearInterval(timer);
        next();
      }
      emit('run', update);
      if (run.state === 'done') emit('library', null);
    }, 100 / o.speed);
    timers.set(run.id, timer);
  }

  function stageAt(stage: Stage, i: number, share: number, ms: number): Progress {
    const from = [0, 0.02, 0.05, 0.08, 0.2, 0.3, 0.85, 0.92][i] ?? 0;
    const to = [0.02, 0.05, 0.7, 0.75, 0.8, 0.85, 0.92, 1][i] ?? 1;
    const part = Math.max(0, Math.min(1, (share - from) / (to - from)));
    const unit = stage === 'judge' || stage === 'screening' ? 'claims' : 'ms';
    const total = unit === 'claims' ? 31 : 90000;
    return {
      stage,
      state: part >= 1 ? 'done' : part > 0 ? 'runs' : 'waits',
      done: Math.round(total * part),
      total,
      unit,
      elapsed_ns: ms * part * 1e6,
      left_ns: part > 0.1 && part < 1 ? ((ms * (1 - part)) / part) * 1e6 : 0,
      cached: false,
    };
  }

  function next() {
    if (runs.some((r) => r.state === 'working')) return;
    const waiting = runs.find((r) => r.state === 'queued');
    if (waiting) begin(waiting);
  }

  const update = (run: Run): RunUpdate => ({
    ...run,
    segments_from: run.segments.length,
    segments: [],
    findings_from: run.findings.length,
    findings: [],
  });

  // Questions: what is found comes first, then sentence by sentence, as the Go side has it.
  const exchanges: Exchange[] = [];
  let documents = o.documents;
  const past = rules.past(o.model);
  const asked = new Map<string, ReturnType<typeof setTimeout>>();
  const scope = () => rules.scope(o.model, documents);

  function ask(request: AskRequest): string {
    if (exchanges.some((e) => e.state === 'working')) throw problem('A question is being answered.');
    const whole = rules.answer(request, o.model);
    const e: Exchange = {
      id: `q${exchanges.length + 1}`,
      request,
      asked: new Date().toISOString(),
      state: 'working',
      step: 'searching',
      done: 0,
      total: 0,
      answer: { ...whole, sentences: [], passages: [], refused: false },
    };
    exchanges.push(e);
    const put = (change: Partial<Exchange>) => {
      const at = exchanges.findIndex((x) => x.id === e.id);
      const next = { ...(exchanges[at] as Exchange), ...change };
      exchanges[at] = next;
      emit('ask', JSON.parse(JSON.stringify(next)));
    };
    const pace = (o.slow ? 700 : 60) / o.speed;
    const steps: (() => void)[] = [
      () => {
        put({ step: 'answering', answer: { ...e.answer, passages: whole.passages } });
      },
      ...whole.sentences.map((_, i) => () => {
        put({ answer: { ...e.answer, passages: whole.passages, sentences: whole.sentences.slice(0, i + 1) } });
      }),
      () => {
        if (request.text.includes('break')) {
          const broken = {
            ...problem('The language model did not answer within 3m0s'),
            said: { key: 'The language model did not answer within {0}', args: ['3m0s'] },
            code: 'model' as const,
          };
          put({ state: 'failed', problem: broken });
        } else put({ state: 'done', answer: whole });
      },
    ];
    const next = (i: number) => {
      asked.set(
        e.id,
        setTimeout(() => {
          steps[i]?.();
          if (i + 1 < steps.length) next(i + 1);
        }, pace),
      );
    };
    next(0);
    return e.id;
  }

  function imported(paths: string[], as_of: string): ImportReport {
    const bad = paths.filter((p) => p.includes('odd'));
    if (bad.length === paths.length)
      throw problem('No rule was found in the text: no line begins like “§ 255.5 Title”.');
    return {
      imported: paths
        .filter((p) => !p.includes('odd'))
        .map((file) => ({
          id: `reg-e@${as_of}`,
          title: 'Electronic Fund Transfers (Regulation E)',
          file,
          state: 'imported',
          as_of,
          sha256: '00',
          sections: 49,
          paragraphs: 1395,
          passages: 1073,
          remarks: ['The file does not tell its date; today’s was taken.'],
        })),
      failures: bad.map((file) => ({ file, sentence: 'No rule was found in the text.' })),
      unread: false,
    };
  }

  async function progress() {
    emit('import', { step: 'file', file: '/home/lena/Rules/reg-e.xml', done: 0, total: 0 });
    for (const done of [0, 400, 800]) {
      await new Promise((ready) => setTimeout(ready, 120 / o.speed));
      emit('import', { step: 'vectors', file: '', done, total: 1073 });
    }
  }

  const signer: ReportSigner = {
    name: 'Lena Brandt',
    organisation: 'Calder Reach',
    self_made: true,
    certificate_sha256: '8c1e07f1'.repeat(8),
    not_after: '2031-11-24T10:00:00Z',
  };
  let approver: ReportSigner | undefined;
  function checked(path: string): CheckedReport {
    const bad = o.tampered;
    const names = [
      'structure',
      'signature',
      'coverage',
      'certificate',
      'attachments',
      'words',
      'rules',
      'decisions',
      'record',
    ];
    return {
      path,
      beside: `${path}.approval.p7s`,
      verdict: bad ? 'changed' : 'vouched',
      whole: !bad,
      title: 'harbour-street-ep31.mp4',
      audit: 'a1',
      created: '2026-11-24T10:30:00Z',
      findings: 9,
      signer,
      own: signer,
      second: approver !== undefined,
      ...(approver ? { approved: approver } : {}),
      checks: names.map((name) => ({
        name,
        ok: !bad || name !== 'signature',
        detail: bad && name === 'signature' ? 'The signature does not fit the file.' : '',
      })),
    };
  }

  const tools = equipment(o.ready, o.rows === 'none', o.speed, emit);
  const services = {
    AskService: {
      Scope: scope,
      Exchanges: () => exchanges,
      Ask: ask,
      Cancel: (id: string) => {
        clearTimeout(asked.get(id));
        const at = exchanges.findIndex((e) => e.id === id);
        exchanges[at] = { ...(exchanges[at] as Exchange), state: 'cancelled' };
        emit('ask', exchanges[at]);
      },
      Forget: (thread: string) => {
        exchanges.splice(0, exchanges.length, ...exchanges.filter((e) => e.request.thread !== thread));
      },
      Past: () => past,
      Recall: (id: number) => {
        const p = past.find((x) => x.id === id);
        if (!p) throw problem('This question is not in the record.');
        const thread = `r${id}`;
        if (!exchanges.some((e) => e.id === thread)) {
          const list = { corpora: [], regulators: [], documents: [], without: [] };
          exchanges.push({
            id: thread,
            request: { thread, text: p.text, mode: p.mode, ...list },
            asked: p.at,
            state: 'done',
            step: 'answering',
            done: 0,
            total: 0,
            answer: p.answer,
          });
        }
        return thread;
      },
      Read: (_document: string, passage: number) => {
        const r = rules.reading(scope().documents, passage);
        if (!r) throw problem('This document was removed. What was quoted of it stands in the answer.');
        return r;
      },
    },
    RulesService: {
      List: (as_of: string) => ({ as_of, sets: o.empty ? [] : rules.sets }),
      Outline: (set: string) => rules.outlines[set] ?? [],
      About: (set: string) => {
        const a = rules.about(set);
        if (!a) throw problem(`${set} is not installed any more.`);
        return a;
      },
      Show: (citation: string) => {
        const p = rules.page(citation);
        if (!p) throw problem(`No installed text and no card has ${citation}.`);
        return p;
      },
      Find: (query: string) => rules.find(query),
    },
    ImportService: {
      Choose: (what: string) => [what === 'texts' ? '/home/lena/Rules/reg-e.xml' : '/home/lena/Papers/handbook.pdf'],
      Texts: async (req: ImportRequest) => {
        await progress();
        const report = imported(req.paths, req.as_of ?? '2026-11-30');
        emit('rules', null);
        return report;
      },
      Documents: async (paths: string[], ocr: boolean) => {
        await progress();
        const scans = ocr ? [] : paths.filter((p) => p.endsWith('.scan.pdf'));
        documents = scans.length < paths.length;
        emit('rules', null);
        return {
          ...imported(
            paths.filter((p) => !scans.includes(p)),
            '',
          ),
          failures: scans.map((file) => ({
            file,
            sentence: 'The PDF holds no text: its pages are pictures.',
            scan: true,
          })),
        };
      },
      Sources: tools.texts.sources,
      Pull: tools.texts.fetch,
      Cancel: () => undefined,
      Remove: (what: string) => {
        if (what === 'document') documents = false;
        emit('rules', null);
      },
    },
    ReportService: {
      Choose: (kind: string) => (kind === 'reports' ? '/home/lena/Papers/harbour-street.pdf' : '/home/jonas/weil.p12'),
      Check: checked,
      Approve: (path: string, a: Approval) => {
        if (a.passphrase === 'wrong one')
          throw problem('The identity’s key cannot be opened: the passphrase is wrong.');
        approver = { ...signer, name: a.name || 'Jonas Weil', certificate_sha256: 'b7'.repeat(32) };
        return checked(path);
      },
    },
    SetupService: {
      ...tools.service,
      Demo: () =>
        services.AuditService.Start({
          path: '/home/lena/demo.srt',
          title: 'Demo: How I invest my savings',
          facts: data.result.facts,
        }),
    },
    LibraryService: {
      List: () => rows,
      Categories: () =>
        settings.language === 'de' ? titles : { ftc_undisclosed_connection: 'Undisclosed material connection' },
      Delete: (id: string) => {
        deleted = rows.filter((r) => r.id === id);
        rows = rows.filter((r) => r.id !== id);
        emit('library', null);
      },
      Restore: (id: string) => {
        rows = [...rows, ...deleted.filter((r) => r.id === id)];
        emit('library', null);
      },
    },
    AuditService: {
      Given: () => [],
      Choose: () => ['/home/lena/Videos/harbour-street-ep31.mp4'],
      Inspect: (path: string) => {
        if (path.includes('broken')) throw problem('This file is not a video, a recording or a subtitle file.');
        const link = /^https?:/.test(path);
        return {
          video: link ? { path, sha256: '', duration_ms: 0, title: path, source_url: path } : data.result.video,
          facts: { speaker: 'unknown', paid: 'unknown', sponsor: 'unknown', audience: 'unknown', options: 'unknown' },
          proposed: link || !o.proposals ? [] : data.proposed,
          companions: link ? [] : [{ path: path.replace(/\.\w+$/, '.description.txt'), role: 'description' }],
          ...(link ? {} : { earlier_id: 'a1', ...(o.frames ? { thumb: `${o.frames}?ms=20000&w=160` } : {}) }),
        };
      },
      Look: async (path: string) => {
        await new Promise((later) => setTimeout(later, 120 / o.speed));
        if (o.siteless) throw problem('The site cannot be reached.');
        if (path.includes('/list/')) {
          return {
            ...services.AuditService.Inspect(path),
            entries: ['One', 'Two', 'Three'].map((title, i) => ({
              address: `https://video.example/w/${i + 1}`,
              title: `Part ${title}`,
              duration_ms: 90000 * (i + 1),
            })),
          };
        }
        return {
          ...services.AuditService.Inspect(path),
          ...(path.includes('/long') ? { over: 'The video lasts 3:10:00, more than the limit of 2:00:00.' } : {}),
          video: {
            path,
            sha256: '',
            duration_ms: 761000,
            title: 'Nine and a half percent, every year',
            source_url: path,
          },
          proposed: [
            {
              fact: 'published',
              value: '2026-11-18',
              segment_id: '',
              start_ms: 0,
              excerpt: 'uploaded on 2026-11-18 by Harbour Street Money',
            },
            { fact: 'paid', value: 'yes', segment_id: '', start_ms: 0, excerpt: 'paid partnership' },
          ],
        };
      },
      Start: (req: NewAudit) => {
        const run: Run = {
          id: `run-${runs.length + 1}`,
          path: req.path,
          title: req.title,
          facts: req.facts,
          state: 'queued',
          stages: stages.map((stage) => ({
            stage,
            state: 'waits',
            done: 0,
            total: 0,
            unit: '',
            elapsed_ns: 0,
            left_ns: 0,
            cached: false,
          })),
          segments: [],
          findings: [],
          share: 0,
          elapsed_ms: 0,
          left_ms: 0,
        };
        runs.push(run);
        emit('run', update(run));
        next();
        return run.id;
      },
      Runs: () => runs.map((r) => ({ ...r })),
      Cancel: (id: string) => {
        const run = runs.find((r) => r.id === id);
        clearInterval(timers.get(id));
        if (!run) throw problem('This audit is not in the queue any more.');
        run.state = 'cancelled';
        emit('run', update(run));
        next();
      },
      Forget: (id: string) => {
        runs.splice(
          runs.findIndex((r) => r.id === id),
          1,
        );
      },
    },
    ReviewService: {
      Media: () => ({ video: o.media, frames: o.frames, offset_ms: 0 }),
      Open: (id: string) => {
        if (id === 'gone') throw problem('This audit is not in the store.');
        return open(id);
      },
      Peaks: (_id: string, n: number) =>
        Array.from(
          { length: n },
          (_, i) => Math.abs(Math.sin(i * 0.7) * Math.sin(i * 0.113) * Math.cos(i * 0.031)) * (i % 17 < 2 ? 0.08 : 0.9),
        ),
      Decide: (id: string, v: { finding_id: string; action: string; reason?: string }) => {
        if (v.action === 'dismiss' && !v.reason) throw problem('Dismissing a finding needs a reason.');
        const list = [
          ...(record.get(id) ?? []),
          {
            ...v,
            by: settings.acting === 'approver' ? settings.approver : settings.reviewer,
            at: '2026-11-25T09:00:00Z',
          } as Decision,
        ];
        record.set(id, list);
        return list;
      },
      Compare: (id: string, earlier: string) => {
        const was = data.result.findings.map((f) => data.earlierOf(f));
        since = {
          ...data.since,
          audit_id: earlier,
          at: '2026-10-01T09:00:00Z',
          new: [],
          carried: was.map((w) => ({ finding_id: w.finding_id, was: [w], taken: false })),
          resolved: [],
        };
        return open(id);
      },
      Correct: (_id: string, segment: string, text: string) => {
        const s = data.result.segments.find((x) => x.id === segment);
        if (!s) throw problem('This audit has no such line.');
        const { source, start_ms, end_ms } = s;
        corrections.push({
          source,
          start_ms,
          end_ms,
          machine: s.text,
          text,
          by: settings.reviewer,
          at: '2026-11-24T09:00:00Z',
        });
        return pending(data.result.segments);
      },
      Position: (id: string, ms: number) => {
        positions.set(id, ms);
      },
      Export: (_id: string, format: string) => `/home/lena/Documents/harbour-street-ep31.${format}`,
      Close: () => undefined,
    },
    BatchService: queue.BatchService,
    StorageService: queue.StorageService,
    SettingsService: {
      Get: () => settings,
      Set: (s: Settings) => {
        settings = s;
      },
      Network: () => (offline ? { offline, by: 'settings' } : { offline }),
      SetOffline: (off: boolean) => {
        offline = off;
      },
      About: () => ({ version: '0.1.0', data: '/home/lena/.local/share/veristream' }),
      Inspect: (): Installed[] => [
        { name: 'ffmpeg', state: 'ok', version: '5.1.6' },
        { name: 'speech model', state: 'ok', version: 'whisper-base' },
        { name: 'ONNX Runtime', state: 'ok', version: '1.24.1' },
        { name: 'player codecs', state: 'ok' },
        { name: 'disk', state: 'ok', version: '212 GB free' },
        {
          name: 'Ollama',
          state: 'warning',
          version: '0.17.4',
          detail: 'The server answers, and holds no model.',
          fix: 'veristream models pull qwen2.5-coder-1.5b',
        },
        { name: 'yt-dlp', state: 'missing', detail: 'opens addresses; files need it not', fix: 'pipx install yt-dlp' },
      ],
    },
  };

  // As Wails does: every call answers later, and what goes over is JSON.
  const bound: Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>> = {};
  for (const [name, methods] of Object.entries(services)) {
    bound[name] = {};
    for (const [method, fn] of Object.entries(methods)) {
      bound[name][method] = async (...args) => {
        calls.push({ name: `${name}.${method}`, args });
        await Promise.resolve();
        if (o.broken && method === 'List') throw problem('The store cannot be read: it is from a newer version.');
        const out: unknown = await (fn as (...a: unknown[]) => unknown)(...args);
        remember(out);
        return out === undefined ? undefined : (JSON.parse(JSON.stringify(out)) as unknown);
      };
    }
  }
  Object.assign(target, {
    ['go']: { app: bound },
    runtime: {
      EventsOn: (name: string, fn: (data: unknown) => void) => {
        const set = listeners.get(name) ?? new Set();
        listeners.set(name, set.add(fn));
        return () => set.delete(fn);
      },
      WindowSetTitle: () => undefined,
      ClipboardSetText: (text: string) => {
        calls.push({ name: 'clipboard', args: [text] });
        return Promise.resolve(true);
      },
    },
    fake: { emit, calls, said, positions, record },
  });
}
