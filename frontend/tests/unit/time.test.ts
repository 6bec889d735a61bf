import { describe, expect, test } from 'vitest';
import { clock, day, decimal, isDate, ruler, short, span } from '../../src/lib/logic/time';

test.each([
  [0, '00:00.0'],
  [99, '00:00.0'],
  [18600, '00:18.6'],
  [59999, '00:59.9'],
  [252600, '04:12.6'],
  [3599999, '59:59.9'],
  [3600000, '1:00:00.0'],
  [-5, '00:00.0'],
])('clock %i', (ms, want) => {
  expect(clock(ms)).toBe(want);
});

test.each([
  [0, '00:00'],
  [3661000, '1:01:01'],
])('short %i', (ms, want) => {
  expect(short(ms)).toBe(want);
});

test.each([
  [1600, '1.6 s'],
  [9949, '9.9 s'],
  [22000, '22 s'],
  [59600, '1 min 00 s'],
  [185000, '3 min 05 s'],
  [4320000, '1 h 12 min'],
])('span %i', (ms, want) => {
  expect(span(ms)).toBe(want);
});

describe('day', () => {
  test('plain dates do not move with the time zone', () => {
    expect(day('2026-11-24')).toBe('24 Nov 2026');
    expect(day('2026-03-01', 'de')).toBe('1. März 2026');
  });
  test('no date is no text', () => {
    expect(day('')).toBe('');
    expect(day('0001-01-01T00:00:00Z')).toBe('');
  });
});

test.each([
  ['2026-02-28', true],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['26-01-01', false],
])('isDate %s', (s, want) => {
  expect(isDate(s)).toBe(want);
});

test('a ruler names round times, about as many as fit', () => {
  expect(ruler(0, 90000, 600)).toEqual([0, 20000, 40000, 60000, 80000]);
  expect(ruler(31000, 33000, 900)[0]).toBe(31000);
  expect(ruler(0, 6 * 3600000, 600).length).toBeLessThan(8);
  expect(ruler(5, 5, 600)).toEqual([]);
});

test('decimals in German', () => {
  expect(span(5460, 'de')).toBe('5,5 s');
  expect(span(72000, 'de')).toBe('1 min 12 s');
  expect(decimal(3.249, 2, 'de')).toBe('3,25');
  expect(decimal(3.249, 2)).toBe('3.25');
});
