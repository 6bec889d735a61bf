import { describe, expect, test } from 'vitest';
import type { Finding, Segment } from '../../src/lib/api';
import { flags, lastBefore, locate, pieces, search, words } from '../../src/lib/logic/pieces';

const segment = (text: string, more: Partial<Segment> = {}): Segment => ({
  id: 's1',
  source: 'speech',
  start_ms: 1000,
  end_ms: 2000,
  text,
  ...more,
});

describe('locate', () => {
  test.each([
    ['You cannot lose money here.', 'cannot lose', [4, 15]],
    ['You  cannot\nlose money', 'You cannot lose', [0, 16]],
    ['YOU cannot lose', 'you Cannot', [0, 10]],
    ['9.5% (a year)', '9.5% (a', [0, 7]],
  ])('%s / %s', (text, excerpt, [start, end]) => {
    expect(locate(text, excerpt)).toEqual({ start, end });
  });
  test('words that are not there, and none', () => {
    expect(locate('You cannot lose', 'you can lose')).toBeNull();
    expect(locate('You cannot lose', '  ')).toBeNull();
  });
});

describe('words', () => {
  test('the recogniser’s times, at their place in the text', () => {
    expect(words(segment('No, no risk.'), '0 3 0 200 4 6 200 400 7 12 400 900')).toEqual([
      { start: 0, end: 3, ms: 1000, endMs: 1200 },
      { start: 4, end: 6, ms: 1200, endMs: 1400 },
      { start: 7, end: 12, ms: 1400, endMs: 1900 },
    ]);
  });
  test('without times, they are spread over the segment', () => {
    const found = words(segment('one two'));
    expect(found.map((w) => w.ms)).toEqual([1000, 1571]);
    expect(found[1]?.endMs).toBe(2000);
  });
});

describe('pieces', () => {
  const s = segment('You cannot lose money here.');
  const flagged = flags(s, [
    { id: 'f1', severity: 'low', excerpt: 'lose money' } as Finding,
    { id: 'f2', severity: 'high', excerpt: 'cannot lose' } as Finding,
  ]);
  const list = pieces(s.text, words(s), flagged, search(s.text, 'MONEY'));

  test('joined, they are the text', () => {
    expect(list.map((p) => p.text).join('')).toBe(s.text);
  });
  test('where two findings overlap, the graver one shows', () => {
    expect(list.find((p) => p.text === 'lose')?.flag).toBe('high');
    expect(list.find((p) => p.text === 'money')?.flag).toBe('low');
    expect(list.find((p) => p.text === 'here')?.flag).toBeNull();
  });
  test('a hit knows its number, and what is between words is no word', () => {
    const money = list.find((p) => p.text === 'money');
    expect(money?.hit).toBe(0);
    expect(money?.word).toBe(3);
    expect(list.find((p) => p.text === ' ')?.word).toBe(-1);
  });
  test('markup in the words of a video stays text', () => {
    const t = segment('<img src=x onerror=alert(1)> & more');
    expect(
      pieces(t.text, words(t), [], search(t.text, 'src'))
        .map((p) => p.text)
        .join(''),
    ).toBe(t.text);
  });
});

test('lastBefore', () => {
  const items = [10, 20, 20, 30];
  expect([5, 10, 19, 20, 31].map((ms) => lastBefore(items, ms, (x) => x))).toEqual([-1, 0, 0, 2, 3]);
  expect(lastBefore([] as number[], 5, (x) => x)).toBe(-1);
});
