// The rules as the Go side has them: which there are, their paragraphs once they are opened, and the one that is read.
import {
  on,
  problemOf,
  rulebook,
  type Problem,
  type RuleHit,
  type RuleNode,
  type RulePage,
  type RuleSet,
  type RuleSetAbout,
} from '$lib/api';
import { above, nodeKey, regulatorKey, regulators, rows, setKey } from '$lib/logic/tree';
import { app } from './app.svelte';

class Rules {
  sets = $state.raw<RuleSet[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  asOf = $state('');
  outlines = $state.raw(new Map<string, RuleNode[]>());
  loading = $state(''); // the set whose paragraphs are being read
  open = $state.raw(new Set<string>());
  active = $state(''); // key of the tree's row with the focus

  page = $state.raw<RulePage | null>(null);
  about = $state.raw<RuleSetAbout | null>(null);
  missing = $state.raw<Problem | null>(null); // why nothing can be read

  query = $state('');
  hits = $state.raw<RuleHit[] | null>(null);
  searching = $state(false);
  private asked = 0; // of the reading: an answer that comes late is not shown
  private sought = 0; // of the search

  rows = $derived(rows(this.sets ?? [], this.outlines, this.open));

  start(): () => void {
    void this.read();
    return on('rules', () => void this.renew());
  }

  async read() {
    try {
      const list = await rulebook.List(this.asOf);
      const first = this.sets === null;
      this.sets = list.sets;
      this.problem = null;
      if (first) this.open = new Set(regulators(list.sets).map(regulatorKey));
    } catch (e) {
      this.problem = problemOf(e);
    }
  }

  /** Reads everything again: a text has come or gone, or another day is asked for. */
  async renew() {
    const opened = [...this.outlines.keys()];
    await this.read();
    const outlines = new Map<string, RuleNode[]>();
    for (const set of opened) {
      if (this.sets?.some((s) => s.id === set)) {
        try {
          outlines.set(set, await rulebook.Outline(set, this.asOf));
        } catch (e) {
          app.fail(e);
        }
      }
    }
    this.outlines = outlines;
    if (this.page) await this.show(this.page.citation);
    else if (this.about) await this.tell(this.about.set.id);
    if (this.query) await this.find(this.query);
  }

  async day(asOf: string) {
    this.asOf = asOf;
    await this.renew();
  }

  async load(set: string): Promise<RuleNode[]> {
    const have = this.outlines.get(set);
    if (have) return have;
    this.loading = set;
    try {
      const nodes = await rulebook.Outline(set, this.asOf);
      this.outlines = new Map(this.outlines).set(set, nodes);
      return nodes;
    } catch (e) {
      app.fail(e);
      return [];
    } finally {
      this.loading = '';
    }
  }

  async toggle(key: string, to = !this.open.has(key)) {
    if (to && key.startsWith('set ')) await this.load(key.slice(4));
    const open = new Set(this.open);
    if (to) open.add(key);
    else open.delete(key);
    this.open = open;
  }

  /** Opens a paragraph, in the tree too. */
  async show(citation: string) {
    const turn = ++this.asked;
    try {
      const page = await rulebook.Show(citation, this.asOf);
      if (turn !== this.asked) return;
      this.page = page;
      this.about = null;
      this.missing = null;
      const nodes = await this.load(page.set);
      if (turn !== this.asked) return;
      this.open = new Set([
        ...this.open,
        regulatorKey(page.regulator),
        setKey(page.set),
        ...above(nodes, page.citation).map(nodeKey),
      ]);
      this.active = nodeKey(page.citation);
    } catch (e) {
      if (turn === this.asked) this.missing = problemOf(e);
    }
  }

  /** Tells of a rule as a whole. */
  async tell(set: string) {
    const turn = ++this.asked;
    try {
      const about = await rulebook.About(set, this.asOf);
      if (turn !== this.asked) return;
      this.about = about;
      this.page = null;
      this.missing = null;
      this.active = setKey(set);
    } catch (e) {
      if (turn === this.asked) this.missing = problemOf(e);
    }
  }

  async find(query: string) {
    this.query = query;
    const turn = ++this.sought;
    if (!query.trim()) {
      this.hits = null;
      this.searching = false;
      return;
    }
    this.searching = true;
    try {
      const hits = await rulebook.Find(query, this.asOf);
      if (turn === this.sought) this.hits = hits;
    } catch (e) {
      if (turn === this.sought) {
        this.hits = [];
        app.fail(e);
      }
    } finally {
      if (turn === this.sought) this.searching = false;
    }
  }
}

export const rules = new Rules();
