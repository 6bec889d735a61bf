// Generated from the Go services by `go test ./app -run TestTypes -update`. Do not edit.

export interface About {
  version: string;
  data: string;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
  line_h?: number;
}

export interface Checked {
  category: string;
  result: string;
  note?: string;
}

export interface Companion {
  path: string;
  role: string;
}

export interface Decision {
  finding_id: string;
  action: string;
  reason?: string;
  severity?: Severity;
  by: string;
  at: string;
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

export interface Inspection {
  video: Video;
  facts: Facts;
  companions: Companion[];
  thumb?: string;
  earlier_id?: string;
}

export interface Installed {
  name: string;
  state: string;
  version?: string;
  detail?: string;
  fix?: string;
}

export interface LLMUse {
  calls: number;
  prompt_tokens: number;
  output_tokens: number;
}

export interface Media {
  video: string;
  frames: string;
  offset_ms: number;
}

export interface ModelInfo {
  name: string;
  sha256?: string;
  note?: string;
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
}

export interface NotApplicable {
  regulator: string;
  citation: string;
  reason: string;
}

export interface Problem {
  code: string;
  sentence: string;
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
  run: RunInfo;
}

export interface Review {
  result: Result;
  decisions: Decision[];
  playable: boolean;
  missing: boolean;
  position_ms: number;
  formats: Format[];
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
}

export interface SegmentRef {
  segment_id: string;
  start_ms: number;
  end_ms: number;
  why: string;
}

export interface Settings {
  theme: string;
  language: string;
  zoom: number;
  reviewer: string;
  keys: Record<string, string>;
  profiles: Profile[];
}

export interface Signals {
  lexicon: number;
  similarity: number;
  rerank: number;
  screener: number;
  judge?: string;
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

export interface Word {
  text: string;
  start_ms: number;
  end_ms: number;
  p?: number;
}

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
  Runs(): Promise<Run[]>;
  Start(a1: NewAudit): Promise<string>;
}

export interface ReviewService {
  Close(a1: string): Promise<void>;
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
