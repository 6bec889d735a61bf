// One audit, opened: what the store gave, where the playhead is, which finding is open, and the decisions. Each
// decision goes to the store at once, and what comes back is what is shown.
import {
  problemOf,
  reviews,
  type Correction,
  type Decision,
  type Finding,
  type Media,
  type Problem,
  type Review,
  type Segment,
  type Severity,
} from '$lib/api';
import { arrange, fold, type Grouping, type Show, type Verdict } from '$lib/logic/decisions';
import { byLine } from '$lib/logic/corrections';
import { flags, lastBefore } from '$lib/logic/pieces';
import { belongs, index, type Among } from '$lib/logic/since';
import { text } from '$lib/text/index.svelte';
import { app } from './app.svelte';

/** What moves the picture: a media element, or nothing but a clock where there is no media. */
export interface Player {
  seek(ms: number): void;
  play(): void;
  pause(): void;
}

export type Tab = 'findings' | 'notApplicable' | 'clear' | 'dropped' | 'resolved';
export type Asking = 'dismiss' | 'note' | 'severity' | null;

interface Step {
  undo: () => Promise<boolean>;
  redo: () => Promise<boolean>;
}

export class ReviewState {
  readonly id: string;
  data = $state.raw<Review>() as Review;
  media = $state.raw<Media | null>(null);
  mediaProblem = $state.raw<Problem | null>(null);
  decisions = $state.raw<Decision[]>([]);
  peaks = $state.raw<number[]>([]);

  now = $state(0);
  playing = $state(false);
  rate = $state(1);
  muted = $state(false);
  captions = $state(false);
  large = $state(false);
  measured = $state(0); // the length that the media element found

  openId = $state<string | null>(null);
  tab = $state<Tab>('findings');
  asking = $state<Asking>(null);
  facts = $state(false);
  grouping = $state<Grouping>('severity');
  show = $state<Show>('all');
  query = $state('');
  among = $state<Among>('all');
  follow = $state(true);
  /** Counts up when the open finding should be scrolled into view. */
  reveal = $state(0);

  result = $derived(this.data.result);
  duration = $derived(Math.max(1, this.result.video.duration_ms || this.measured || this.lastEnd()));
  segments = $derived([...this.result.segments].sort((a, b) => a.start_ms - b.start_ms || a.end_ms - b.end_ms));
  lines = $derived([
    ...this.segments.filter((s) => s.source === 'description'),
    ...this.segments.filter((s) => s.source !== 'description'),
  ]);
  screens = $derived(this.segments.filter((s) => s.source === 'screen'));
  speech = $derived(this.segments.filter((s) => s.source === 'speech'));
  findings = $derived([...this.result.findings].sort((a, b) => a.start_ms - b.start_ms));
  verdicts = $derived(fold(this.findings, this.decisions));
  since = $derived(this.result.since ?? null);
  earlier = $derived(index(this.result.since));
  groups = $derived(
    arrange(this.findings, this.verdicts, this.grouping, this.show, this.query, (f) =>
      belongs(this.earlier.get(f.id), this.among),
    ),
  );
  ordered = $derived(this.groups.flatMap((g) => g.findings));
  open = $derived(this.findings.find((f) => f.id === this.openId) ?? null);
  decided = $derived([...this.verdicts.values()].filter((v) => v.stand !== 'open').length);
  byId = $derived(new Map(this.segments.map((s) => [s.id, s])));
  bySegment = $derived(this.groupBySegment());

  /** The sentence that is being said: its place in `speech`, -1 before the first. */
  saying = $derived(lastBefore(this.speech, this.now, (s) => s.start_ms));
  nowSegment = $derived(this.saying >= 0 ? (this.speech[this.saying]?.id ?? '') : '');
  shown = $derived(this.screens.filter((s) => s.start_ms <= this.now && this.now < s.end_ms));

  player: Player | null = null;
  private done: Step[] = [];
  private undone: Step[] = [];
  /** What was corrected since the audit was made. */
  corrections = $state.raw<Correction[]>([]);
  correctedLines = $derived(byLine(this.result.segments, this.corrections));
  private lastReport = -1;

  constructor(id: string) {
    this.id = id;
  }

  async load(): Promise<void> {
    this.data = await reviews.Open(this.id);
    this.decisions = this.data.decisions;
    this.corrections = this.data.corrections;
    this.now = Math.min(this.data.position_ms, this.data.result.video.duration_ms || this.data.position_ms);
    const first = this.ordered.find((f) => this.verdict(f).stand === 'open') ?? this.ordered[0];
    this.openId = first?.id ?? null;
    if (this.data.playable) {
      void reviews.Media(this.id).then(
        (m) => (this.media = m),
        (e: unknown) => (this.mediaProblem = problemOf(e)),
      );
    }
    const wanted = Math.round(Math.min(20000, Math.max(400, this.duration / 100)));
    void reviews.Peaks(this.id, wanted).then(
      (p) => (this.peaks = p),
      () => undefined, // a timeline without its wave is still a timeline
    );
  }

  close() {
    this.report(true);
    void reviews.Close(this.id).catch(() => undefined);
  }

  verdict(f: Finding): Verdict {
    return (
      this.verdicts.get(f.id) ?? {
        stand: 'open',
        severity: f.severity,
        reason: '',
        by: '',
        at: '',
        carried: null,
        notes: [],
      }
    );
  }

  severity(f: Finding): Severity {
    return this.verdict(f).severity;
  }

  /** Compares with another earlier audit than before. */
  async compare(id: string) {
    try {
      const data = await reviews.Compare(this.id, id);
      this.data = data;
      this.decisions = data.decisions;
      this.among = 'all';
      if (this.tab === 'resolved') this.tab = 'findings';
    } catch (e) {
      app.fail(e);
    }
  }

  // ---- the playhead

  seek(ms: number) {
    const at = Math.min(Math.max(0, ms), this.duration);
    this.now = at;
    this.follow = true;
    if (this.player) this.player.seek(at);
    else this.report(true);
  }

  toggle() {
    if (this.playing) this.player?.pause();
    else this.player?.play();
  }

  /** Keeps where the playhead stands: after each seek, and once a second while it plays. */
  report(always = false) {
    if (!always && Math.abs(this.now - this.lastReport) < 1000) return;
    this.lastReport = this.now;
    void reviews.Position(this.id, Math.round(this.now)).catch(() => undefined);
  }

  // ---- which finding is open

  select(f: Finding, seek = true) {
    this.tab = 'findings';
    this.asking = null;
    this.openId = f.id;
    if (!this.ordered.includes(f)) {
      this.show = this.among = 'all';
      this.query = '';
    }
    if (seek) this.seek(f.start_ms);
    this.reveal++;
  }

  step(by: 1 | -1, onlyOpen = false) {
    const list = this.ordered;
    const at = list.findIndex((f) => f.id === this.openId);
    for (let i = 1; i <= list.length; i++) {
      const f = list[((((at < 0 ? (by > 0 ? -1 : 0) : at) + by * i) % list.length) + list.length) % list.length];
      if (f && (!onlyOpen || this.verdict(f).stand === 'open')) {
        this.select(f);
        return;
      }
    }
  }

  // ---- decisions

  async accept(f: Finding) {
    const title = text.category(f.category);
    await this.decide(f, 'accept', '', text.t.findings.accepted(title));
  }

  async dismiss(f: Finding, reason: string) {
    const title = text.category(f.category);
    await this.decide(f, 'dismiss', reason, text.t.findings.dismissed(title));
  }

  async reopen(f: Finding) {
    const before = this.verdict(f);
    const title = text.category(f.category);
    const ok = await this.send(f, 'reopen');
    if (!ok) return;
    this.remember({ undo: () => this.restore(f, before), redo: () => this.send(f, 'reopen') });
    app.say(text.t.findings.reopened(title), () => void this.undo());
  }

  async setSeverity(f: Finding, to: Severity) {
    this.asking = null;
    const before = this.severity(f);
    if (before === to || !(await this.send(f, 'severity', '', to))) return;
    this.remember({
      undo: () => this.send(f, 'severity', '', before),
      redo: () => this.send(f, 'severity', '', to),
    });
    const t = text.t.findings;
    app.say(t.severityChanged(text.category(f.category), t.severity[to].toLowerCase()), () => void this.undo());
  }

  async note(f: Finding, words: string) {
    this.asking = null;
    if (words.trim() && (await this.send(f, 'comment', words.trim()))) app.say(text.t.findings.noted);
  }

  async undo() {
    const step = this.done.pop();
    if (step && (await step.undo())) this.undone.push(step);
  }

  async redo() {
    const step = this.undone.pop();
    if (step && (await step.redo())) this.done.push(step);
  }

  private async decide(f: Finding, action: 'accept' | 'dismiss', reason: string, message: string) {
    this.asking = null;
    const before = this.verdict(f);
    const next = this.nextOpenAfter(f);
    if (!(await this.send(f, action, reason))) return;
    this.remember({ undo: () => this.restore(f, before), redo: () => this.send(f, action, reason) });
    app.say(message, () => void this.undo());
    if (next) this.select(next);
    else app.say(text.t.findings.allDecided);
  }

  /** The next finding that is open, in the order in which they stand; none when this was the last. */
  private nextOpenAfter(f: Finding): Finding | undefined {
    const list = this.ordered;
    const at = list.indexOf(f);
    const rest = [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))];
    return rest.find((other) => other.id !== f.id && this.verdict(other).stand === 'open');
  }

  private restore(f: Finding, v: Verdict): Promise<boolean> {
    this.openId = f.id;
    this.reveal++;
    if (v.stand === 'open') return this.send(f, 'reopen');
    return this.send(f, v.stand === 'accepted' ? 'accept' : 'dismiss', v.reason);
  }

  private async send(f: Finding, action: string, reason = '', severity?: Severity): Promise<boolean> {
    try {
      this.decisions = await reviews.Decide(this.id, {
        finding_id: f.id,
        action,
        reason,
        ...(severity ? { severity } : {}),
      });
      return true;
    } catch (e) {
      app.fail(e);
      return false;
    }
  }

  private remember(step: Step) {
    this.done.push(step);
    this.undone = [];
  }

  // ---- what belongs together

  /** The segment that a finding's words stand in, with the lines before and after it in the same channel. */
  context(f: Finding): { before: string; segment: Segment | null; after: string } {
    const segment = (f.segment_id && this.byId.get(f.segment_id)) || this.byWords(f);
    if (!segment) return { before: '', segment: null, after: '' };
    if (segment.source !== 'speech') return { before: '', segment, after: '' };
    const i = this.speech.indexOf(segment);
    return { before: this.speech[i - 1]?.text ?? '', segment, after: this.speech[i + 1]?.text ?? '' };
  }

  private byWords(f: Finding): Segment | null {
    if (!f.excerpt) return null;
    const near = this.segments.filter((s) => s.source === f.source && s.start_ms <= f.end_ms && s.end_ms >= f.start_ms);
    return near.find((s) => flags(s, [f]).length > 0) ?? null;
  }

  private groupBySegment(): Map<string, Finding[]> {
    const map = new Map<string, Finding[]>();
    for (const f of this.findings) {
      if (!f.excerpt) continue;
      const id = f.segment_id || this.byWords(f)?.id;
      if (!id) continue;
      const shown = { ...f, severity: this.severity(f) };
      const list = map.get(id);
      if (list) list.push(shown);
      else map.set(id, [shown]);
    }
    return map;
  }

  private lastEnd(): number {
    return this.result.segments.reduce((end, s) => Math.max(end, s.end_ms), 0);
  }
}
