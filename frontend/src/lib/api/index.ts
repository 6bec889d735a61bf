// The only door to the Go side: typed calls of its services, its events, and errors as a person reads them.
import type {
  AskService,
  AuditService,
  BatchService,
  Download,
  Drop,
  Exchange,
  ImportProgress,
  ImportService,
  LibraryService,
  Problem,
  ReportService,
  ReviewService,
  RulesService,
  RunUpdate,
  SettingsService,
  SetupService,
  StorageService,
} from './types.gen';

export type * from './types.gen';

interface Services {
  LibraryService: LibraryService;
  AuditService: AuditService;
  BatchService: BatchService;
  StorageService: StorageService;
  ReportService: ReportService;
  ReviewService: ReviewService;
  SettingsService: SettingsService;
  AskService: AskService;
  RulesService: RulesService;
  ImportService: ImportService;
  SetupService: SetupService;
}

interface Events {
  run: RunUpdate;
  library: null;
  queue: null;
  open: Drop;
  ask: Exchange;
  rules: null;
  import: ImportProgress;
  downloads: Download[];
  models: null;
}

declare global {
  interface Window {
    go?: { app: Services };
    runtime?: {
      EventsOn(name: string, fn: (data: never) => void): () => void;
      WindowSetTitle(title: string): void;
      ClipboardSetText(text: string): Promise<boolean>;
    };
  }
}

/** A failure of the Go side. */
export class Failure extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

/** Gives any error as a problem to show. */
export function problemOf(e: unknown): Problem {
  if (e instanceof Failure) return e.problem;
  if (typeof e === 'object' && e !== null && 'sentence' in e && 'code' in e) return e as Problem;
  return { code: 'internal', sentence: e instanceof Error ? e.message : String(e) };
}

function service<K extends keyof Services>(name: K): Services[K] {
  return new Proxy({} as Services[K], {
    get: (_target, method: string) => {
      return async (...args: unknown[]) => {
        const bound = window.go?.app[name] as Record<string, (...args: unknown[]) => Promise<unknown>> | undefined;
        const call = bound?.[method];
        if (!call) {
          throw new Failure({ code: 'internal', sentence: 'The window has lost its connection to the program.' });
        }
        try {
          return await call(...args);
        } catch (e) {
          throw new Failure(problemOf(e));
        }
      };
    },
  });
}

export const library = service('LibraryService');
export const audits = service('AuditService');
export const reports = service('ReportService');
export const batches = service('BatchService');
export const space = service('StorageService');
export const reviews = service('ReviewService');
export const preferences = service('SettingsService');
export const questions = service('AskService');
export const rulebook = service('RulesService');
export const imports = service('ImportService');
export const outfit = service('SetupService');

/** Listens to an event of the Go side; the result stops listening. */
export function on<K extends keyof Events>(event: K, fn: (data: Events[K]) => void): () => void {
  return window.runtime?.EventsOn(event, fn as (data: never) => void) ?? (() => undefined);
}

/** Puts text on the clipboard. */
export async function copy(text: string): Promise<void> {
  if (window.runtime) await window.runtime.ClipboardSetText(text);
  else await navigator.clipboard.writeText(text);
}

/** Names the window after what it shows. */
export function title(text: string): void {
  document.title = text;
  window.runtime?.WindowSetTitle(text);
}
