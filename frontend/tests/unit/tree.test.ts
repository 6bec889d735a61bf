import { describe, expect, test } from 'vitest';
import type { RuleNode, RuleSet } from '../../src/lib/api';
import { above, nodeKey, regulatorKey, regulators, rows, setKey, step, typed } from '../../src/lib/logic/tree';
import { outlines, sets } from '../fake/rules';

const loaded = new Map<string, RuleNode[]>(Object.entries(outlines));
const everything = new Set([
  ...regulators(sets).map(regulatorKey),
  ...sets.map((s) => setKey(s.id)),
  ...Object.values(outlines).flatMap((list) => list.map((n) => nodeKey(n.citation))),
]);
const names = (open: Set<string>, have = loaded, list: RuleSet[] = sets) => rows(list, have, open).map((r) => r.name);

describe('rows', () => {
  test('closed, only the regulators are there, each once and in their order', () => {
    expect(names(new Set())).toEqual(['CFPB', 'FTC', 'SEC', 'FINRA', 'Calder Reach']);
  });

  test('a rule is closed until its paragraphs are loaded', () => {
    const open = new Set([regulatorKey('FTC'), setKey('16 CFR 255')]);
    const before = rows(sets, new Map(), open);
    expect(before.map((r) => r.name)).toEqual(['CFPB', 'FTC', '16 CFR 255', 'SEC', 'FINRA', 'Calder Reach']);
    expect(before.find((r) => r.set)?.open).toBe(false);
    expect(names(open).slice(1, 4)).toEqual(['FTC', '16 CFR 255', '255.5']);
  });

  test('opened, every paragraph stands once, below its own and with its level', () => {
    const all = rows(sets, loaded, everything);
    expect(all.filter((r) => r.node).length).toBe(Object.values(outlines).flat().length);
    expect(new Set(all.map((r) => r.key)).size).toBe(all.length);
    const at = all.findIndex((r) => r.node?.citation === 'FINRA 2210(d)(1)(B)');
    expect(all.slice(at - 4, at + 1).map((r) => [r.level, r.name])).toEqual([
      [3, '(a)'],
      [3, '(d)'],
      [4, '(1)'],
      [5, '(A)'],
      [5, '(B)'],
    ]);
    expect([all[at]?.position, all[at]?.size, all[at]?.open]).toEqual([2, 3, null]);
  });
});

test('what stands above a paragraph', () => {
  expect(above(outlines['FINRA 2210'] ?? [], 'FINRA 2210(d)(1)(B)')).toEqual(['FINRA 2210(d)', 'FINRA 2210(d)(1)']);
  expect(above(outlines['FINRA 2210'] ?? [], 'FINRA 2210(a)')).toEqual([]);
  expect(above([], 'nothing')).toEqual([]);
});

describe('keys', () => {
  const list = rows(sets, loaded, new Set([regulatorKey('FINRA'), setKey('FINRA 2210'), nodeKey('FINRA 2210(d)')]));
  const at = (name: string) => list.findIndex((r) => r.name === name);

  test.each([
    ['CFPB', 'ArrowDown', { to: 1 }],
    ['CFPB', 'ArrowUp', { to: 0 }],
    ['CFPB', 'ArrowRight', { open: 'regulator CFPB' }],
    ['CFPB', 'ArrowLeft', { to: 0 }],
    ['FINRA', 'ArrowLeft', { close: 'regulator FINRA' }],
    ['FINRA', 'ArrowRight', { to: list.findIndex((r) => r.name === 'FINRA 2210') }],
    ['(2)', 'ArrowRight', { to: list.findIndex((r) => r.name === '(2)') }],
    ['(2)', 'ArrowLeft', { to: list.findIndex((r) => r.name === '(d)') }],
    ['(1)', 'ArrowRight', { open: 'node FINRA 2210(d)(1)' }],
    ['(1)', 'Home', { to: 0 }],
    ['(1)', 'End', { to: list.length - 1 }],
    ['(1)', 'x', null],
  ] as const)('%s, %s', (name, key, want) => {
    expect(step(list, at(name), key)).toEqual(want);
  });

  test('letters lead to the next row that begins with them', () => {
    expect(list[typed(list, 0, 's')]?.name).toBe('SEC');
    expect(list[typed(list, at('FINRA 2210'), 'f')]?.name).toBe('FINRA 2220');
    expect(list[typed(list, at('FINRA 2210'), 'finra 2210')]?.name).toBe('FINRA 2210'); // it stays while it fits
    expect(list[typed(list, 0, 'd')]?.name).toBe('(d)'); // a mark without its bracket
    expect(list[typed(list, 0, 'compar')]?.label).toBe('Comparisons');
    expect(typed(list, 0, 'zz')).toBe(-1);
    expect(typed([], 0, 'a')).toBe(-1);
  });
});
