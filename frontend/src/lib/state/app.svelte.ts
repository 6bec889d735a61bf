// Where the window is, how the user likes it, and what it has to say. No truth about audits is kept here.
import { library, problemOf, preferences, title, type Facts, type Problem, type Settings } from '$lib/api';
import { table } from '$lib/logic/keys';
import { text } from '$lib/text/index.svelte';

export type Place =
  | { view: 'library' }
  | { view: 'new'; path: string; facts?: Facts }
  | { view: 'working'; run: string }
  | { view: 'review'; id: string }
  | { view: 'ask'; question?: string }
  | { view: 'rules'; citation?: string }
  | { view: 'settings'; section?: string }
  | { view: 'setup' }
  | { view: 'guide'; page?: string };

export interface Toast {
  id: number;
  text: string;
  bad: boolean;
  undo?: () => void;
}

class AppState {
  place = $state.raw<Place>({ view: 'library' });
  settings = $state.raw<Settings>({
    theme: 'system',
    language: 'en',
    zoom: 100,
    reviewer: '',
    organisation: '',
    approver: '',
    acting: 'preparer',
    set_up: false,
    keys: {},
    profiles: [],
  });
  toasts = $state.raw<Toast[]>([]);
  help = $state(false);
  keys = $derived(table(this.settings.keys));
  dark = $state(document.documentElement.dataset.theme === 'dark');
  /** Pixels of a rem: the zoom's measure. */
  rem = $state(16);
  private toastId = 0;

  async start() {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.paint();
    });
    try {
      this.settings = await preferences.Get();
    } catch (e) {
      this.fail(e);
    }
    this.paint();
    this.nameCategories();
  }

  /** Not waited for: core may still be opening, and an id reads well enough until then. */
  private nameCategories() {
    void library.Categories().then(
      (titles) => (text.titles = titles),
      () => undefined,
    );
  }

  open(place: Place) {
    this.place = place;
  }

  /** Changes settings, shows the change at once and keeps it. */
  async set(change: Partial<Settings>) {
    this.settings = { ...this.settings, ...change };
    this.paint();
    try {
      await preferences.Set(this.settings);
    } catch (e) {
      this.fail(e);
    }
    if (change.language) this.nameCategories();
  }

  toggleTheme() {
    void this.set({ theme: this.dark ? 'light' : 'dark' });
  }

  zoom(by: number) {
    const zoom = by === 0 ? 100 : Math.min(200, Math.max(80, this.settings.zoom + by));
    void this.set({ zoom });
  }

  name(what: string) {
    title(what ? `${what} · VeriStream` : 'VeriStream');
  }

  say(message: string, undo?: () => void) {
    this.push({ id: ++this.toastId, text: message, bad: false, ...(undo ? { undo } : {}) }, 8000);
  }

  fail(e: unknown): Problem {
    const problem = problemOf(e);
    this.push({ id: ++this.toastId, text: text.said(problem), bad: true }, 12000);
    return problem;
  }

  dismiss(id: number) {
    this.toasts = this.toasts.filter((t) => t.id !== id);
  }

  private push(toast: Toast, ms: number) {
    this.toasts = [...this.toasts.slice(-2), toast];
    setTimeout(() => {
      this.dismiss(toast.id);
    }, ms);
  }

  private paint() {
    const { theme, zoom, language } = this.settings;
    this.dark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
    const root = document.documentElement;
    root.dataset.theme = this.dark ? 'dark' : 'light';
    root.style.fontSize = zoom === 100 ? '' : `${zoom}%`;
    askAgain(document.getElementById('app'));
    this.rem = parseFloat(getComputedStyle(root).fontSize) || 16;
    text.set(language);
    try {
      localStorage.setItem('theme', theme);
      localStorage.setItem('zoom', String(zoom));
    } catch {
      // Only the first paint of the next start would have used it.
    }
  }
}

export const app = new AppState();

/** Chromium keeps the answers of container queries when nothing but the rem has changed; another width makes it ask again. */
function askAgain(container: HTMLElement | null) {
  if (!container) return;
  container.style.width = 'calc(100% - 1px)';
  void container.offsetWidth;
  container.style.width = '';
}
