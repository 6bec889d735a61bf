// Generated from the Go services by `go test ./app -run TestTypes -update`. Do not edit.

export interface About {
  version: string;
  data: string;
}

export interface Answer {
  refused: boolean;
  reason: string;
  confidence: Confidence;
  sentences: Sentence[];
  passages: FoundPassage[];
  filters: AskFilter[];
  how: string;
  coverage: number;
  dropped: number;
  notice: string;
  anomalies: string[];
  model: string;
  ms: number;
}

export interface Approval {
  with: ApprovalWith;
  name: string;
  passphrase: string;
  file: string;
}

export interface AskFilter {
  key: string;
  value: string;
  from: string;
}

export interface AskRequest {
  thread: string;
  text: string;
  mode: AskMode;
  corpora: string[];
  regulators: string[];
  documents: string[];
  as_of?: string;
  without: string[];
}

export interface Batch {
  jobs: Job[];
  watched: string[];
}

export interface Binds {
  who: string[];
  sponsors?: string[];
  audience: string;
  needs: string[];
  note: string;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
  line_h?: number;
}

export interface Card {
  citation: string;
  aliases?: string[];
  illustrates?: string;
  kind: string;
  title: string;
  requires: string;
  binds: Binds;
  effective: Effective;
  triggers: string[];
  look_alikes: string[];
  satisfied_by: string[];
  severity: Severity;
  remedy: string;
  related: string[];
  gist: string;
  checked: boolean;
  audited: boolean;
  regulator: string;
  source: string;
  sha256: string;
}

export interface CardHead {
  id: string;
  regulator: string;
  part: string;
  title: string;
  in_force_from: string;
  nature: string;
  note: string;
  house: boolean;
  without: Without[];
}

export interface CarriedFinding {
  finding_id: string;
  was: EarlierFinding[];
  taken: boolean;
  why?: WhyNot;
  moved?: boolean;
  near?: boolean;
  heard?: Heard[];
}

export interface Checked {
  category: string;
  result: string;
  note?: string;
}

export interface CheckedReport {
  path: string;
  verdict: string;
  whole: boolean;
  title: string;
  audit: string;
  created: string;
  findings: number;
  signer?: ReportSigner;
  approved?: ReportSigner;
  checks: ReportCheck[];
  own?: ReportSigner;
  second: boolean;
  beside: string;
}

export interface Companion {
  path: string;
  role: string;
}

export interface Corrected {
  machine: string;
  by: string;
  at: string;
}

export interface Correction {
  source: Source;
  start_ms: number;
  end_ms: number;
  machine: string;
  text: string;
  by: string;
  at: string;
}

export interface Decision {
  finding_id: string;
  action: string;
  reason?: string;
  severity?: Severity;
  by: string;
  at: string;
  carried?: Origin;
}

export interface Disk {
  kinds: Usage[];
  cache_bytes: number;
  quota_bytes: number;
  free_bytes: number;
}

export interface Document {
  id: string;
  title: string;
  type: string;
  format: string;
  origin: string;
  sha256: string;
  reader: number;
  pages?: number;
  unread?: number;
  sections: number;
  passages: number;
  meta?: Record<string, string>;
  anomalies?: string[];
}

export interface DocumentPage {
  id: number;
  title: string;
  place: string;
  kind: string;
  text: string;
}

export interface DocumentPages {
  document: Document;
  passages: DocumentPage[];
  at: number;
  before: number;
  after: number;
}

export interface Download {
  name: string;
  state: DownloadState;
  progress: ModelProgress;
  problem?: Problem;
}

export interface Drop {
  paths: string[];
}

export interface Dropped {
  reason: string;
  excerpt: string;
  citation: string;
  category?: string;
  start_ms?: number;
}

export interface EarlierFinding {
  finding_id: string;
  category: string;
  citation: string;
  severity: Severity;
  source: Source;
  start_ms: number;
  end_ms: number;
  excerpt: string;
  evidence?: string;
  stand: string;
  reason?: string;
  by?: string;
  at?: string;
}

export interface Effective {
  from: string;
  to?: string;
  note?: string;
}

export interface Entry {
  address: string;
  title: string;
  duration_ms?: number;
}

export interface Exchange {
  id: string;
  request: AskRequest;
  asked: string;
  state: ExchangeState;
  step: AskStep;
  done: number;
  total: number;
  answer: Answer;
  problem?: Problem;
}

export interface Facts {
  speaker: string;
  paid: string;
  options: string;
  audience: string;
  sponsor: string;
  published?: string;
}

export interface Finding {
  id: string;
  category: string;
  regulator: string;
  citation: string;
  severity: Severity;
  status: Status;
  source: Source;
  segment_id?: string;
  start_ms: number;
  end_ms: number;
  excerpt: string;
  evidence: string;
  rationale: string;
  remedy: string;
  applies: string;
  related?: string[];
  rule: RuleRef;
  signals: Signals;
  context?: SegmentRef[];
}

export interface Format {
  id: string;
  extension: string;
}

export interface FoundPassage {
  rank: number;
  id: number;
  citation: string;
  title: string;
  corpus: string;
  kind: string;
  source: string;
  name: string;
  as_of?: string;
  sha256?: string;
  text: string;
  pinned: boolean;
}

export interface Heard {
  was: string;
  now: string;
}

export interface ImportFailure {
  file: string;
  sentence: string;
  said?: Message;
  scan?: boolean;
}

export interface ImportProgress {
  step: string;
  file: string;
  done: number;
  total: number;
}

export interface ImportReport {
  imported: Imported[];
  failures: ImportFailure[];
  unread: boolean;
}

export interface ImportRequest {
  paths: string[];
  as_of?: string;
  regulator?: string;
}

export interface Imported {
  id: string;
  title: string;
  file: string;
  state: string;
  as_of?: string;
  sha256: string;
  sections: number;
  paragraphs: number;
  passages: number;
  remarks: string[];
}

export interface Inspection {
  video: Video;
  facts: Facts;
  companions: Companion[];
  thumb?: string;
  earlier_id?: string;
  entries?: Entry[];
  over?: string;
  proposed: ProposedFact[];
}

export interface Installed {
  name: string;
  state: string;
  version?: string;
  detail?: string;
  said?: Message;
  fix?: string;
}

export interface Job {
  id: string;
  input: string;
  title: string;
  state: RunState;
  priority: number;
  audit_id?: string;
  problem?: Problem;
  high: number;
  medium: number;
  low: number;
  findings: number;
  limit?: boolean;
  list?: boolean;
}

export interface LLMUse {
  calls: number;
  prompt_tokens: number;
  output_tokens: number;
}

export interface Machine {
  memory: number;
  free_memory: number;
  free_disk: number;
  cores: number;
}

export interface Measured {
  right: number;
  of: number;
}

export interface Media {
  video: string;
  frames: string;
  offset_ms: number;
}

export interface Message {
  key: string;
  args?: string[];
  quoted?: string;
}

export interface Model {
  name: string;
  kind: string;
  state: string;
  description?: string;
  licence?: string;
  size: number;
  memory: number;
  sha256?: string;
  source?: string;
  default: boolean;
  user: boolean;
  used: boolean;
  chosen: boolean;
  fits: Fit;
}

export interface ModelInfo {
  name: string;
  sha256?: string;
  note?: string;
}

export interface ModelProgress {
  stage: string;
  source?: string;
  done: number;
  total: number;
  rate: number;
  left_ms: number;
}

export interface Network {
  offline: boolean;
  by?: string;
}

export interface NewAudit {
  path: string;
  title: string;
  facts: Facts;
  as_of?: string;
  fresh?: boolean;
  admit?: boolean;
}

export interface NewBatch {
  inputs: string[];
  facts?: Facts;
  as_of?: string;
  admit?: boolean;
}

export interface NewFinding {
  finding_id: string;
  was?: EarlierFinding;
}

export interface NotApplicable {
  regulator: string;
  citation: string;
  reason: string;
}

export interface NotDone {
  input: string;
  why: string;
}

export interface Ollama {
  state: string;
  address?: string;
  version?: string;
  binary?: string;
  models: OllamaModel[];
  detail?: string;
  fix?: string;
}

export interface OllamaModel {
  ref: string;
  size: number;
  details?: string;
  ours: boolean;
  used: boolean;
}

export interface Origin {
  audit_id: string;
  finding_id: string;
  excerpt: string;
  from: string;
  heard?: number;
}

export interface Part {
  text: string;
  language?: string;
}

export interface PastQuestion {
  id: number;
  text: string;
  at: string;
  by: string;
  mode: AskMode;
  as_of?: string;
  answer: Answer;
}

export interface Problem {
  code: string;
  sentence: string;
  said?: Message;
  details?: string;
}

export interface Profile {
  name: string;
  facts: Facts;
}

export interface Progress {
  stage: Stage;
  state: State;
  done: number;
  total: number;
  unit: string;
  elapsed_ns: number;
  left_ns: number;
  cached: boolean;
  note?: string;
}

export interface ProposedFact {
  fact: string;
  value: string;
  segment_id: string;
  start_ms: number;
  excerpt: string;
}

export interface Queued {
  added: number;
  passed: NotDone[];
}

export interface ReportCheck {
  name: string;
  ok: boolean;
  detail: string;
}

export interface ReportSigner {
  name: string;
  organisation: string;
  self_made: boolean;
  certificate_sha256: string;
  not_after: string;
}

export interface Result {
  schema: number;
  id?: string;
  video: Video;
  facts: Facts;
  proposed_facts?: ProposedFact[];
  as_of: string;
  segments: Segment[];
  findings: Finding[];
  not_applicable: NotApplicable[];
  checked: Checked[];
  dropped: Dropped[];
  notices?: string[];
  since?: Since;
  run: RunInfo;
  said?: Record<string, Message[]>;
}

export interface Review {
  result: Result;
  foreign: Record<string, Part[]>;
  decisions: Decision[];
  corrections: Correction[];
  playable: boolean;
  missing: boolean;
  position_ms: number;
  formats: Format[];
  words: Record<string, string>;
  measured: Record<string, Measured>;
}

export interface RuleHit {
  citation: string;
  title: string;
  set: string;
  kind: string;
  official: boolean;
  snippet: string;
}

export interface RuleList {
  as_of: string;
  sets: RuleSet[];
}

export interface RuleNode {
  citation: string;
  parent: string;
  mark: string;
  label: string;
  kind: string;
  text: boolean;
  card: boolean;
  without: string;
}

export interface RulePage {
  set: string;
  regulator: string;
  citation: string;
  title: string;
  path: RuleNode[];
  text?: Text;
  flow: RuleParagraph[];
  more: number;
  card?: Card;
  head?: CardHead;
  without: string;
  changed: boolean;
  before: string;
  after: string;
}

export interface RuleParagraph {
  citation: string;
  depth: number;
  kind: string;
  heading: string;
  text: string;
  card: boolean;
  ambiguous: string;
}

export interface RuleRef {
  citation: string;
  title: string;
  text: string;
  official: boolean;
  sha256: string;
  as_of?: string;
  source?: string;
}

export interface RuleSet {
  id: string;
  regulator: string;
  title: string;
  house: boolean;
  text?: Text;
  versions: Text[];
  paragraphs: number;
  cards: number;
  unchecked: number;
}

export interface RuleSetAbout {
  set: RuleSet;
  heads: CardHead[];
  check: RuleSetAgreement[];
}

export interface RuleSetAgreement {
  source: string;
  unresolved: string[];
  uncovered: string[];
  changed: string[];
  ambiguous: string[];
  gaps: string[];
}

export interface Run {
  id: string;
  path: string;
  title: string;
  facts: Facts;
  state: RunState;
  stages: Progress[];
  video?: Video;
  segments: Segment[];
  findings: Finding[];
  share: number;
  elapsed_ms: number;
  left_ms: number;
  audit_id?: string;
  problem?: Problem;
}

export interface RunInfo {
  version: string;
  started_at: string;
  models: Record<string, ModelInfo>;
  rules_version: string;
  prompts?: Record<string, string>;
  stages: StageRun[];
  llm: LLMUse;
  peak_rss_mb: number;
}

export interface RunUpdate {
  id: string;
  state: RunState;
  stages: Progress[];
  video?: Video;
  segments_from: number;
  segments: Segment[];
  findings_from: number;
  findings: Finding[];
  share: number;
  elapsed_ms: number;
  left_ms: number;
  audit_id?: string;
  problem?: Problem;
}

export interface Scope {
  regulators: string[];
  rule_sets: number;
  texts: number;
  documents: Document[];
  model: string;
}

export interface Segment {
  id: string;
  source: Source;
  start_ms: number;
  end_ms: number;
  text: string;
  flag?: string;
  words?: Word[];
  confidence?: number;
  box?: Box;
  contrast?: number;
  corrected?: Corrected;
}

export interface SegmentRef {
  segment_id: string;
  start_ms: number;
  end_ms: number;
  why: string;
}

export interface Sentence {
  text: string;
  support: Support[];
  verbatim: boolean;
}

export interface Settings {
  theme: string;
  language: string;
  zoom: number;
  reviewer: string;
  organisation: string;
  approver: string;
  acting: string;
  set_up: boolean;
  keys: Record<string, string>;
  profiles: Profile[];
}

export interface Setup {
  machine: Machine;
  models: Model[];
  downloads: Download[];
  ready: boolean;
  wanted: boolean;
}

export interface Signals {
  lexicon: number;
  similarity: number;
  rerank: number;
  screener: number;
  judge?: string;
  chance?: number;
}

export interface Since {
  audit_id: string;
  at: string;
  found: string;
  new: NewFinding[];
  carried: CarriedFinding[];
  resolved: EarlierFinding[];
  words_new: number;
  words_gone: number;
}

export interface StageRun {
  name: string;
  ms: number;
  cached: boolean;
}

export interface Summary {
  id: string;
  title: string;
  path: string;
  source_url?: string;
  duration_ms: number;
  has_video: boolean;
  added: string;
  high: number;
  medium: number;
  low: number;
  findings: number;
  decided: number;
  reviewer?: string;
  signed: boolean;
  failed?: string;
  facts: Facts;
  missing: boolean;
  thumb?: string;
}

export interface Support {
  citation: string;
  source: string;
  quote: string;
  passage: number;
}

export interface Text {
  id: string;
  regulator: string;
  part: string;
  title: string;
  as_of: string;
  sha256: string;
  origin: string;
  format: string;
}

export interface TextSource {
  id: string;
  regulator: string;
  covers: string;
  title: string;
  page: string;
  usual: boolean;
  as_of?: string;
}

export interface Trial {
  model: string;
  reply: string;
  ms: number;
  rate: number;
}

export interface Usage {
  kind: string;
  bytes: number;
  items: number;
  cleanable: boolean;
}

export interface Verdict {
  finding_id: string;
  action: string;
  reason?: string;
  severity?: Severity;
}

export interface Video {
  path: string;
  sha256: string;
  duration_ms: number;
  title: string;
  source_url: string;
  width?: number;
  height?: number;
  size?: number;
  has_video?: boolean;
  has_audio?: boolean;
  language?: string;
}

export interface Without {
  citation: string;
  reason: string;
}

export interface Word {
  text: string;
  start_ms: number;
  end_ms: number;
  p?: number;
}

export type ApprovalWith = 'second' | 'own' | 'file';

export type AskMode = 'careful' | 'standard' | 'fast' | 'passages';

export type AskStep = 'reading' | 'searching' | 'answering';

export type Confidence = 'high' | 'medium' | 'low';

export type DownloadState = 'waits' | 'runs' | 'paused' | 'done' | 'failed';

export type ExchangeState = 'working' | 'done' | 'failed' | 'cancelled';

export type FileKind = 'recordings' | 'texts' | 'documents' | 'models' | 'reports' | 'identities';

export type Fit = 'well' | 'tight' | 'not';

export type RunState = 'queued' | 'working' | 'done' | 'failed' | 'cancelled';

export type Severity = 'high' | 'medium' | 'low';

export type Source = 'speech' | 'screen' | 'description';

export type Stage =
  | 'probe'
  | 'audio'
  | 'transcribe'
  | 'screen'
  | 'screening'
  | 'judge'
  | 'tests'
  | 'verify';

export type State = 'waits' | 'runs' | 'done' | 'skipped' | 'failed';

export type Status = 'confirmed' | 'needs_review';

export type WhyNot =
  | 'paragraph'
  | 'rule_text'
  | 'facts'
  | 'graver'
  | 'video'
  | 'joined'
  | 'readings'
  | 'place';

export interface LibraryService {
  Categories(): Promise<Record<string, string>>;
  Delete(a1: string): Promise<void>;
  List(): Promise<Summary[]>;
  Restore(a1: string): Promise<void>;
}

export interface AuditService {
  Cancel(a1: string): Promise<void>;
  Choose(a1: string): Promise<string[]>;
  Forget(a1: string): Promise<void>;
  Given(): Promise<string[]>;
  Inspect(a1: string): Promise<Inspection>;
  Look(a1: string): Promise<Inspection>;
  Runs(): Promise<Run[]>;
  Start(a1: NewAudit): Promise<string>;
}

export interface BatchService {
  Add(a1: NewBatch): Promise<Queued>;
  Cancel(a1: string): Promise<void>;
  ChooseFolder(a1: string): Promise<string>;
  Clear(): Promise<void>;
  List(): Promise<Batch>;
  Move(a1: string, a2: string): Promise<void>;
  Prioritise(a1: string, a2: number): Promise<void>;
  Remove(a1: string): Promise<void>;
  Replace(a1: string, a2: string[]): Promise<Queued>;
  Retry(a1: string, a2: boolean): Promise<void>;
  Unwatch(a1: string): Promise<void>;
  Watch(a1: string, a2: Facts): Promise<void>;
}

export interface StorageService {
  Clean(a1: string): Promise<number>;
  Get(): Promise<Disk>;
  SetQuota(a1: number): Promise<number>;
}

export interface ReviewService {
  Close(a1: string): Promise<void>;
  Compare(a1: string, a2: string): Promise<Review>;
  Correct(a1: string, a2: string, a3: string): Promise<Correction[]>;
  Decide(a1: string, a2: Verdict): Promise<Decision[]>;
  Export(a1: string, a2: string, a3: string): Promise<string>;
  Media(a1: string): Promise<Media>;
  Open(a1: string): Promise<Review>;
  Peaks(a1: string, a2: number): Promise<number[]>;
  Position(a1: string, a2: number): Promise<void>;
}

export interface SettingsService {
  About(): Promise<About>;
  Get(): Promise<Settings>;
  Inspect(): Promise<Installed[]>;
  Network(): Promise<Network>;
  Set(a1: Settings): Promise<void>;
  SetOffline(a1: boolean): Promise<void>;
}

export interface AskService {
  Ask(a1: AskRequest): Promise<string>;
  Cancel(a1: string): Promise<void>;
  Exchanges(): Promise<Exchange[]>;
  Forget(a1: string): Promise<void>;
  Past(): Promise<PastQuestion[]>;
  Read(a1: string, a2: number): Promise<DocumentPages>;
  Recall(a1: number): Promise<string>;
  Scope(): Promise<Scope>;
}

export interface RulesService {
  About(a1: string, a2: string): Promise<RuleSetAbout>;
  Find(a1: string, a2: string): Promise<RuleHit[]>;
  List(a1: string): Promise<RuleList>;
  Outline(a1: string, a2: string): Promise<RuleNode[]>;
  Show(a1: string, a2: string): Promise<RulePage>;
}

export interface ImportService {
  Cancel(): Promise<void>;
  Choose(a1: string, a2: string): Promise<string[]>;
  Documents(a1: string[], a2: boolean): Promise<ImportReport>;
  Pull(a1: string[]): Promise<ImportReport>;
  Remove(a1: string, a2: string): Promise<void>;
  Sources(): Promise<TextSource[]>;
  Texts(a1: ImportRequest): Promise<ImportReport>;
}

export interface ReportService {
  Approve(a1: string, a2: Approval): Promise<CheckedReport>;
  Check(a1: string): Promise<CheckedReport>;
  Choose(a1: FileKind, a2: string): Promise<string>;
}

export interface SetupService {
  ChooseModel(a1: string): Promise<string>;
  Demo(): Promise<string>;
  Downloads(): Promise<Download[]>;
  Forget(a1: string): Promise<void>;
  Import(a1: string): Promise<string>;
  Ollama(): Promise<Ollama>;
  Pause(a1: string): Promise<void>;
  Pull(a1: string[]): Promise<void>;
  Remove(a1: string): Promise<void>;
  State(): Promise<Setup>;
  Try(): Promise<Trial>;
  Use(a1: string, a2: string): Promise<void>;
}
