import { expect, test } from 'vitest';
import type { Download, Model } from '../../src/lib/api';
import { rough, size } from '../../src/lib/logic/bytes';
import { blocks, pieces } from '../../src/lib/logic/guide';
import { samePerson } from '../../src/lib/logic/people';
import { answers, proposalsFor } from '../../src/lib/logic/proposals';
import { lacking, offer, whole } from '../../src/lib/logic/setup';
import { stretch } from '../../src/lib/text/pseudo';

const model = (name: string, memory: number, more: Partial<Model> = {}): Model => ({
  name,
  kind: 'llm',
  state: 'missing',
  size: memory,
  memory,
  default: false,
  user: false,
  used: false,
  chosen: false,
  fits: 'well',
  ...more,
});

test('the size that is offered fits the memory', () => {
  const small = model('small', 1);
  const usual = model('usual', 2, { default: true });
  const large = model('large', 8, { fits: 'not' });
  expect(offer([large, usual, small], 'llm')).toBe('usual');
  expect(offer([large, { ...usual, fits: 'not' }, small], 'llm')).toBe('small');
  expect(offer([large, usual, { ...small, state: 'installed' }], 'llm')).toBe('small');
  expect(offer([], 'llm')).toBe('');
  expect(lacking([usual, { ...small, state: 'built-in' }], ['usual', 'small']).map((m) => m.name)).toEqual(['usual']);
});

test('all downloads as one: what has come, and how long the rest takes', () => {
  const at = (name: string, state: Download['state'], done: number, rate = 0): Download => ({
    name,
    state,
    progress: { stage: 'download', done, total: 1000, rate, left_ms: 0 },
  });
  expect(whole([], [])).toEqual({ share: 0, left_ms: 0, active: false });
  const two = whole([at('a', 'runs', 500, 100), at('b', 'waits', 0)], []);
  expect(two).toEqual({ share: 0.25, left_ms: 15_000, active: true });
  expect(whole([at('a', 'done', 1000), at('b', 'paused', 500)], [])).toMatchObject({ share: 0.75, active: false });
});

test('bytes and spans as people read them', () => {
  expect(size(147_951_465)).toBe('148 MB');
  expect(size(1_117_320_768)).toBe('1.1 GB');
  expect(size(1_117_320_768, 'de')).toBe('1,1 GB');
  expect(rough(400)).toBe('1 s');
  expect(rough(250_000)).toBe('4 min');
  expect(rough(3_900_000)).toBe('1 h 5 min');
});

test('case and spaces make nobody another person', () => {
  expect(samePerson('Lena  Brandt', ' lena brandt')).toBe(true);
  expect(samePerson('Lena Brandt', 'Jonas Weil')).toBe(false);
});

test('a proposal counts for a question without an answer, once', () => {
  const all = [
    { fact: 'paid', value: 'yes', segment_id: 's1', start_ms: 0, excerpt: 'a' },
    { fact: 'paid', value: 'yes', segment_id: 's2', start_ms: 9, excerpt: 'b' },
    { fact: 'options', value: 'yes', segment_id: 's2', start_ms: 9, excerpt: 'c' },
  ];
  const facts = { speaker: 'unknown', paid: 'unknown', sponsor: 'unknown', audience: 'unknown', options: 'no' };
  expect(proposalsFor(all, 'paid').map((p) => p.excerpt)).toEqual(['a']);
  expect(answers(all, facts)).toBe(1);
});

test('the guide is read as text, whatever stands in it', () => {
  expect(pieces('Press `A` or **Accept**, see [keys](review.md).').map((p) => p.kind)).toEqual([
    'text', 'code', 'text', 'bold', 'text', 'link', 'text',
  ]); // prettier-ignore
  expect(
    blocks('# One\n\n![A picture](images/a.png)\n\n1. first\n2. second\n   goes on\n\n| a | b |\n|---|---|\n| c | d |'),
  ).toEqual([
    { kind: 'h1', text: 'One' },
    { kind: 'image', text: 'A picture', name: 'a.png' },
    { kind: 'ol', items: [[{ kind: 'text', text: 'first' }], [{ kind: 'text', text: 'second goes on' }]] },
    {
      kind: 'table',
      head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
      rows: [[[{ kind: 'text', text: 'c' }], [{ kind: 'text', text: 'd' }]]],
    },
  ]);
  expect(blocks('<script>alert(1)</script>')).toEqual([
    { kind: 'p', pieces: [{ kind: 'text', text: '<script>alert(1)</script>' }] },
  ]);
});

test('the made-up language is longer, and numbers alone stay', () => {
  expect(stretch('12')).toBe('12');
  const long = stretch('Export the audit');
  expect(long).toMatch(/^⟦.*⟧$/);
  expect(long.length).toBeGreaterThan('Export the audit'.length * 1.3);
});
