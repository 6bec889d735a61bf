import { describe, expect, test } from 'vitest';
import type { Decision, Finding, Since } from '../../src/lib/api';
import { arrange, fold } from '../../src/lib/logic/decisions';
import { belongs, index } from '../../src/lib/logic/since';
import { since } from '../fake/data';

describe('index', () => {
  const of = index(since);
  test('each finding has one kind', () => {
    expect([...of].map(([id, e]) => `${id} ${e.kind}`).sort()).toEqual([
      'f1 changed',
      'f2 carried',
      'f3 carried',
      'f4 carried',
      'f5 carried',
      'f6 carried',
      'f7 carried',
      'f8 carried',
      'f9 new',
    ]);
    expect(of.get('f1')?.was[0]?.excerpt).toContain('eight percent');
    expect(of.get('f7')?.carried?.why).toBe('video');
  });
  test('an audit with nothing before it has no kinds', () => {
    expect(index(undefined).size).toBe(0);
    expect(index({ ...since, new: [], carried: [] } as Since).size).toBe(0);
  });
  test('a claim on changed words counts as new', () => {
    const shown = (among: 'all' | 'new' | 'carried') =>
      ['f1', 'f2', 'f9', 'unknown'].filter((id) => belongs(of.get(id), among));
    expect(shown('all')).toEqual(['f1', 'f2', 'f9', 'unknown']);
    expect(shown('new')).toEqual(['f1', 'f9']);
    expect(shown('carried')).toEqual(['f2']);
  });
});

test('the list shows what belongs, and a decision made here is no longer carried', () => {
  const list = ['f1', 'f2', 'f4'].map(
    (id, i) => ({ id, start_ms: i, severity: 'low', status: 'confirmed' }) as Finding,
  );
  const origin = { audit_id: 'a', finding_id: 'e', excerpt: '', from: 'a' };
  const carried: Decision = { finding_id: 'f4', action: 'dismiss', reason: 'r', by: 'R', at: '', carried: origin };
  const of = index(since);
  const ids = arrange(list, fold(list, [carried]), 'time', 'all', '', (f) => belongs(of.get(f.id), 'new'));
  expect(ids.flatMap((g) => g.findings.map((f) => f.id))).toEqual(['f1']);
  expect(fold(list, [carried]).get('f4')?.carried).toEqual(origin);
  const here: Decision[] = [carried, { finding_id: 'f4', action: 'reopen', by: 'L', at: '' }];
  expect(fold(list, here).get('f4')).toMatchObject({ stand: 'open', carried: null });
  here.push({ finding_id: 'f4', action: 'accept', by: 'L', at: '' });
  expect(fold(list, here).get('f4')).toMatchObject({ stand: 'accepted', carried: null, by: 'L' });
});
