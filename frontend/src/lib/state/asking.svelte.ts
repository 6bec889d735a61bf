// The questions of this session as the Go side tells them, and what the next one will be asked with.
import {
  on,
  problemOf,
  questions,
  type AskMode,
  type AskRequest,
  type Exchange,
  type Problem,
  type Scope,
} from '$lib/api';
import { merge, threads, withoutFilter } from '$lib/logic/answer';
import { app } from './app.svelte';

/** Where the next question looks; empty lists narrow nothing. */
export interface Where {
  corpora: string[];
  regulators: string[];
  documents: string[];
  asOf: string;
}

const everywhere: Where = { corpora: [], regulators: [], documents: [], asOf: '' };

class Asking {
  list = $state.raw<Exchange[]>([]);
  scope = $state.raw<Scope | null>(null);
  problem = $state.raw<Problem | null>(null);
  thread = $state('');
  where = $state.raw<Where>(everywhere);
  mode = $state<AskMode>('standard');
  draft = $state('');

  threads = $derived(threads(this.list));
  shown = $derived(this.list.filter((e) => e.request.thread === this.thread));
  working = $derived(this.list.find((e) => e.state === 'working'));
  narrowed = $derived(
    this.where.corpora.length + this.where.regulators.length + this.where.documents.length > 0 ||
      this.where.asOf !== '',
  );

  /** Listens, and reads what is there; the result stops listening. */
  start(): () => void {
    const stops = [
      on('ask', (e) => {
        this.list = merge(this.list, e);
      }),
      on('rules', () => void this.look()),
    ];
    void this.look();
    void questions.Exchanges().then(
      (list) => {
        this.list = list;
        this.thread ||= list[list.length - 1]?.request.thread ?? fresh();
      },
      (e: unknown) => app.fail(e),
    );
    return () => {
      stops.forEach((stop) => {
        stop();
      });
    };
  }

  async look() {
    try {
      this.scope = await questions.Scope();
      this.problem = null;
      const there = new Set(this.scope.documents.map((d) => d.id));
      if (this.where.documents.some((d) => !there.has(d)))
        this.where = { ...this.where, documents: this.where.documents.filter((d) => there.has(d)) };
      if (!this.scope.model) this.mode = 'passages';
    } catch (e) {
      this.problem = problemOf(e);
    }
  }

  newThread() {
    this.thread = fresh();
  }

  async ask(text: string) {
    const { corpora, regulators, documents, asOf } = this.where;
    await this.send({
      thread: this.thread,
      text,
      mode: this.mode,
      corpora,
      regulators,
      documents,
      without: [],
      ...(asOf ? { as_of: asOf } : {}),
    });
  }

  /** Asks the same again without a filter that was read from the question. */
  async widen(e: Exchange, from: string) {
    await this.send(withoutFilter(e.request, from));
  }

  async again(e: Exchange) {
    await this.send(e.request);
  }

  private async send(request: AskRequest) {
    try {
      await questions.Ask(request);
      this.draft = '';
      this.list = await questions.Exchanges();
    } catch (e) {
      app.fail(e);
    }
  }

  /** Takes an earlier question into this session and shows it. */
  async recall(id: number) {
    try {
      const thread = await questions.Recall(id);
      this.list = await questions.Exchanges();
      this.thread = thread;
    } catch (e) {
      app.fail(e);
    }
  }

  async stop() {
    if (!this.working) return;
    try {
      await questions.Cancel(this.working.id);
    } catch (e) {
      app.fail(e);
    }
  }

  async forget(thread: string) {
    try {
      await questions.Forget(thread);
      this.list = await questions.Exchanges();
      if (this.thread === thread) this.newThread();
    } catch (e) {
      app.fail(e);
    }
  }
}

const fresh = () => `t${Date.now().toString(36)}`;

export const asking = new Asking();
