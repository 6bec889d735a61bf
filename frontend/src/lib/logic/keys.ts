// Keys and what they do. Letters act only outside fields; what has Ctrl acts everywhere.

export type Scope = 'play' | 'timeline' | 'findings' | 'find' | 'everywhere';

export interface Binding {
  action: Action;
  scope: Scope;
  keys: string[];
}

export const actions = [
  'play', 'back', 'pause', 'forward', 'secondBack', 'secondForward', 'frameBack', 'frameForward', 'replay', 'large',
  'zoomOut', 'zoomIn', 'whole',
  'previous', 'next', 'nextOpen', 'accept', 'dismiss', 'note', 'severity', 'rule', 'wording', 'question',
  'search', 'follow', 'tab1', 'tab2', 'tab3', 'tab4', 'column',
  'undo', 'redo', 'export', 'library', 'ask', 'rules', 'help',
] as const; // prettier-ignore

export type Action = (typeof actions)[number];

/** The keys as they come. A key is named as KeyboardEvent.key does, with Ctrl+ and Shift+ before it. */
export const bindings: Binding[] = [
  { action: 'play', scope: 'play', keys: ['Space'] },
  { action: 'back', scope: 'play', keys: ['j'] },
  { action: 'pause', scope: 'play', keys: ['k'] },
  { action: 'forward', scope: 'play', keys: ['l'] },
  { action: 'secondBack', scope: 'play', keys: ['ArrowLeft'] },
  { action: 'secondForward', scope: 'play', keys: ['ArrowRight'] },
  { action: 'frameBack', scope: 'play', keys: [','] },
  { action: 'frameForward', scope: 'play', keys: ['.'] },
  { action: 'replay', scope: 'play', keys: ['r'] },
  { action: 'large', scope: 'play', keys: ['f'] },
  { action: 'zoomOut', scope: 'timeline', keys: ['-'] },
  { action: 'zoomIn', scope: 'timeline', keys: ['+', '='] },
  { action: 'whole', scope: 'timeline', keys: ['0'] },
  { action: 'previous', scope: 'findings', keys: ['['] },
  { action: 'next', scope: 'findings', keys: [']'] },
  { action: 'nextOpen', scope: 'findings', keys: ['Shift+]', '}'] },
  { action: 'accept', scope: 'findings', keys: ['a'] },
  { action: 'dismiss', scope: 'findings', keys: ['d'] },
  { action: 'note', scope: 'findings', keys: ['n'] },
  { action: 'severity', scope: 'findings', keys: ['s'] },
  { action: 'rule', scope: 'findings', keys: ['o'] },
  { action: 'wording', scope: 'findings', keys: ['w'] },
  { action: 'question', scope: 'findings', keys: ['q'] },
  { action: 'search', scope: 'find', keys: ['/', 'Ctrl+f'] },
  { action: 'follow', scope: 'find', keys: ['t'] },
  { action: 'tab1', scope: 'find', keys: ['1'] },
  { action: 'tab2', scope: 'find', keys: ['2'] },
  { action: 'tab3', scope: 'find', keys: ['3'] },
  { action: 'tab4', scope: 'find', keys: ['4'] },
  { action: 'column', scope: 'find', keys: ['F6'] },
  { action: 'undo', scope: 'everywhere', keys: ['Ctrl+z'] },
  { action: 'redo', scope: 'everywhere', keys: ['Ctrl+y', 'Ctrl+Shift+z'] },
  { action: 'export', scope: 'everywhere', keys: ['Ctrl+e'] },
  { action: 'library', scope: 'everywhere', keys: ['Ctrl+1'] },
  { action: 'ask', scope: 'everywhere', keys: ['Ctrl+2'] },
  { action: 'rules', scope: 'everywhere', keys: ['Ctrl+3'] },
  { action: 'help', scope: 'everywhere', keys: ['?', 'F1'] },
];

type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Names the key of an event: "Ctrl+f", "Shift+]", "Space", "?". */
export function nameOf(e: KeyLike): string {
  if (e.altKey) return '';
  const key = e.key === ' ' ? 'Space' : e.key.length === 1 ? e.key.toLowerCase() : e.key;
  // A character that itself needs Shift ("?") is named by itself; a letter or a bracket keeps its Shift.
  const shift = e.shiftKey && (/^[a-z[\]]$/.test(key) || key.length > 1);
  return (e.ctrlKey || e.metaKey ? 'Ctrl+' : '') + (shift ? 'Shift+' : '') + key;
}

/** The table of keys, with what the user has changed. */
export function table(changed: Record<string, string>): Map<string, Action> {
  const map = new Map<string, Action>();
  for (const b of bindings) {
    for (const key of keysOf(b, changed)) map.set(key, b.action);
  }
  return map;
}

export function keysOf(b: Binding, changed: Record<string, string>): string[] {
  const own = changed[b.action];
  return own ? [own] : b.keys;
}

/** What an event asks for; null when a field takes the key. */
export function actionOf(e: KeyLike & { target: EventTarget | null }, keys: Map<string, Action>): Action | null {
  const name = nameOf(e);
  const action = keys.get(name) ?? null;
  if (!action) return null;
  if (name.startsWith('Ctrl+') || /^F\d+$/.test(name)) return action;
  return takesText(e.target) ? null : action;
}

export function takesText(target: EventTarget | null): boolean {
  if (!target || !(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'button', 'submit'].includes(target.type);
  return target.isContentEditable;
}

const caps: Record<string, string> = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Enter: '↵', Shift: '⇧', '-': '−',
}; // prettier-ignore

/** A key's name as its caps read. */
export function capsOf(name: string): string[] {
  if (name === '+') return ['+'];
  return name.split('+').map((k) => caps[k] ?? (k.length === 1 ? k.toUpperCase() : k));
}
