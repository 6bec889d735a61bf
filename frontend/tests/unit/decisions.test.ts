import { describe, expect, test } from 'vitest';
import type { Decision, Finding } from '../../src/lib/api';
import { arrange, fold } from '../../src/lib/logic/decisions';

const finding = (id: string, start_ms: number, more: Partial<Finding> = {}) =>
  ({
    id,
    start_ms,
    severity: 'medium',
    status: 'confirmed',
    category: 'unfair_comparison',
    citation: 'FINRA 2210(d)(2)',
    regulator: 'FINRA',
    excerpt: '',
    rationale: '',
    rule: { title: '' },
    ...more,
  }) as Finding;
const decision = (finding_id: string, action: string, more: Partial<Decision> = {}): Decision => ({
  finding_id,
  action,
  by: 'L. Brandt',
  at: '2026-11-24T10:00:00Z',
  ...more,
});

const list = [
  finding('a', 3000, { severity: 'high', excerpt: 'You cannot lose' }),
  finding('b', 1000),
  finding('c', 2000, { severity: 'low', status: 'needs_review', citation: '16 CFR 255.5(a)' }),
];

describe('fold', () => {
  test('the last decision counts', () => {
    const v = fold(list, [
      decision('a', 'accept'),
      decision('a', 'reopen'),
      decision('a', 'dismiss', { reason: 'quoted' }),
      decision('b', 'accept'),
      decision('b', 'reopen'),
      decision('gone', 'accept'),
    ]);
    expect(v.get('a')).toMatchObject({ stand: 'dismissed', reason: 'quoted', by: 'L. Brandt' });
    expect(v.get('b')).toMatchObject({ stand: 'open', reason: '', by: '' });
    expect(v.size).toBe(3);
  });
  test('severity and notes leave the stand as it is', () => {
    const v = fold(list, [
      decision('c', 'severity', { severity: 'high' }),
      decision('c', 'comment', { reason: 'ask Ann' }),
    ]).get('c');
    expect(v).toMatchObject({ stand: 'open', severity: 'high' });
    expect(v?.notes.map((n) => n.text)).toEqual(['ask Ann']);
  });
});

describe('arrange', () => {
  const verdicts = fold(list, [decision('b', 'accept')]);
  test('by severity, then by time', () => {
    expect(arrange(list, verdicts, 'severity', 'all', '').map((g) => g.key)).toEqual(['high', 'medium', 'low']);
  });
  test('by time there is one group', () => {
    expect(arrange(list, verdicts, 'time', 'all', '').flatMap((g) => g.findings.map((f) => f.id))).toEqual([
      'b',
      'c',
      'a',
    ]);
  });
  test('by rule, in the order of citations', () => {
    expect(arrange(list, verdicts, 'rule', 'all', '').map((g) => g.key)).toEqual([
      '16 CFR 255.5(a)',
      'FINRA 2210(d)(2)',
    ]);
  });
  test('by status', () => {
    expect(arrange(list, verdicts, 'status', 'all', '').map((g) => [g.key, g.decided])).toEqual([
      ['needs_review', 0],
      ['confirmed', 0],
      ['accepted', 1],
    ]);
  });
  test('open, decided, found by a word', () => {
    const ids = (show: 'open' | 'decided' | 'all', q: string) =>
      arrange(list, verdicts, 'time', show, q).flatMap((g) => g.findings.map((f) => f.id));
    expect(ids('open', '')).toEqual(['c', 'a']);
    expect(ids('decided', '')).toEqual(['b']);
    expect(ids('all', 'unfair comp')).toEqual(['b', 'c', 'a']);
    expect(ids('all', 'cannot LOSE')).toEqual(['a']);
    expect(ids('all', '255.5')).toEqual(['c']);
  });
});
