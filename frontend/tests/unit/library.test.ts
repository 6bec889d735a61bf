import { expect, test } from 'vitest';
import { counts, pick, stateOf } from '../../src/lib/logic/library';
import { rows } from '../fake/data';

test('states', () => {
  expect(Object.fromEntries(rows.map((r) => [r.id, stateOf(r)]))).toEqual({
    a1: 'toReview',
    a2: 'toReview',
    a3: 'decided',
    a4: 'toReview',
    a0: 'failed',
    a5: 'signed',
    a6: 'toReview',
    a7: 'signed',
  });
});

test('filters and their numbers agree', () => {
  const n = counts(rows);
  for (const f of ['all', 'toReview', 'decided', 'missing'] as const) {
    expect(pick(rows, f, 'newest', '').length).toBe(n[f]);
  }
});

test('orders', () => {
  const first = (order: Parameters<typeof pick>[2]) => pick(rows, 'all', order, '')[0]?.id;
  expect(first('newest')).toBe('a1');
  expect(first('oldest')).toBe('a7');
  expect(first('byTitle')).toBe('a6');
  expect(first('bySeverity')).toBe('a4');
});

test('every word of a query must be there', () => {
  expect(pick(rows, 'all', 'newest', 'fees month').map((r) => r.id)).toEqual(['a3']);
  expect(pick(rows, 'all', 'newest', 'PODCAST').map((r) => r.id)).toEqual(['a2']);
});
