// The tree of the rules as a list of the rows that are open, and where its keys lead.
import type { RuleNode, RuleSet } from '$lib/api';

export interface TreeRow {
  key: string;
  level: number; // 1: a regulator
  position: number; // among those below the same row, from 1
  size: number; // how many they are
  open: boolean | null; // null: nothing is below it
  name: string; // "FINRA", "16 CFR 255", "(a)"
  label: string;
  regulator: string;
  set?: RuleSet;
  node?: RuleNode;
}

export const regulatorKey = (regulator: string) => `regulator ${regulator}`;
export const setKey = (set: string) => `set ${set}`;
export const nodeKey = (citation: string) => `node ${citation}`;

/** Regulators in the order of their first rule; a firm's own rules come last, as the Go side sorts them. */
export function regulators(sets: RuleSet[]): string[] {
  return [...new Set(sets.map((s) => s.regulator))];
}

/** The rows that are open. A set whose paragraphs are not loaded yet is closed, whatever is said of it. */
export function rows(sets: RuleSet[], outlines: Map<string, RuleNode[]>, open: Set<string>): TreeRow[] {
  const out: TreeRow[] = [];
  const all = regulators(sets);
  all.forEach((regulator, i) => {
    const key = regulatorKey(regulator);
    const own = sets.filter((s) => s.regulator === regulator);
    const isOpen = open.has(key);
    out.push({ key, level: 1, position: i + 1, size: all.length, open: isOpen, name: regulator, label: '', regulator });
    if (!isOpen) return;
    own.forEach((set, n) => {
      const nodes = outlines.get(set.id);
      const below = open.has(setKey(set.id)) && nodes !== undefined;
      out.push({
        key: setKey(set.id),
        level: 2,
        position: n + 1,
        size: own.length,
        open: below,
        name: set.id,
        label: set.title,
        regulator,
        set,
      });
      if (below) paragraphs(nodes, set, regulator, open, out);
    });
  });
  return out;
}

function paragraphs(nodes: RuleNode[], set: RuleSet, regulator: string, open: Set<string>, out: TreeRow[]) {
  const below = new Map<string, RuleNode[]>();
  for (const n of nodes) {
    const list = below.get(n.parent);
    if (list) list.push(n);
    else below.set(n.parent, [n]);
  }
  const walk = (parent: string, level: number) => {
    const list = below.get(parent) ?? [];
    list.forEach((node, i) => {
      const leads = below.has(node.citation);
      const isOpen = leads && open.has(nodeKey(node.citation));
      out.push({
        key: nodeKey(node.citation),
        level,
        position: i + 1,
        size: list.length,
        open: leads ? isOpen : null,
        name: node.mark,
        label: node.label,
        regulator,
        set,
        node,
      });
      if (isOpen) walk(node.citation, level + 1);
    });
  };
  walk('', 3);
}

/** What stands above a paragraph, outermost first: what must be open for it to be seen. */
export function above(nodes: RuleNode[], citation: string): string[] {
  const at = new Map(nodes.map((n) => [n.citation, n]));
  const out: string[] = [];
  for (let n = at.get(at.get(citation)?.parent ?? ''); n; n = at.get(n.parent)) out.unshift(n.citation);
  return out;
}

export type Step = { to: number } | { open: string } | { close: string };

/** Where a key leads in the tree, as the pattern of trees has it; null for a key that is none of its. */
export function step(list: TreeRow[], at: number, key: string): Step | null {
  const row = list[at];
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(list.length - 1, at + 1) };
    case 'ArrowUp':
      return { to: Math.max(0, at - 1) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: list.length - 1 };
    case 'ArrowRight':
      if (!row || row.open === null) return { to: at };
      return row.open ? { to: Math.min(list.length - 1, at + 1) } : { open: row.key };
    case 'ArrowLeft': {
      if (row?.open) return { close: row.key };
      for (let i = at - 1; i >= 0; i--) {
        if ((list[i]?.level ?? 0) < (row?.level ?? 0)) return { to: i };
      }
      return { to: at };
    }
  }
  return null;
}

/** The next row whose name or label begins with what was typed, after the row at; -1 when there is none. */
export function typed(list: TreeRow[], at: number, letters: string): number {
  const wanted = letters.toLocaleLowerCase();
  const from = letters.length === 1 ? 1 : 0; // one more letter narrows, the same letter again goes on
  for (let i = from; i <= list.length; i++) {
    const n = (at + i) % Math.max(1, list.length);
    const row = list[n];
    const names = [row?.name ?? '', (row?.name ?? '').replace(/^[(“]/, ''), row?.label ?? ''];
    if (names.some((s) => s.toLocaleLowerCase().startsWith(wanted))) return n;
  }
  return -1;
}
