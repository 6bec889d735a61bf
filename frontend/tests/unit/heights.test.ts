import { expect, test } from 'vitest';
import { Heights } from '../../src/lib/logic/heights';

test('rows stand where the heights before them end', () => {
  const h = new Heights(5, (i) => (i + 1) * 10);
  expect([0, 1, 2, 3, 4, 5].map((i) => h.offset(i))).toEqual([0, 10, 30, 60, 100, 150]);
  expect(h.total).toBe(150);
});

test('the row at a pixel', () => {
  const h = new Heights(5, (i) => (i + 1) * 10);
  expect([0, 9, 10, 29, 30, 99, 100, 149, 150, 9999, -1].map((y) => h.at(y))).toEqual([
    0, 0, 1, 1, 2, 3, 4, 4, 4, 4, 0,
  ]);
});

test('a measured row moves those after it', () => {
  const h = new Heights(1000, () => 20);
  expect(h.set(10, 50)).toBe(30);
  expect(h.set(10, 50)).toBe(0);
  expect(h.offset(10)).toBe(200);
  expect(h.offset(11)).toBe(250);
  expect(h.total).toBe(20030);
  expect(h.at(249)).toBe(10);
});

test('it agrees with plain sums', () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const n = 333;
  const plain = Array.from({ length: n }, () => Math.floor(random() * 90) + 1);
  const h = new Heights(n, (i) => plain[i] ?? 0);
  for (let k = 0; k < 200; k++) {
    const i = Math.floor(random() * n);
    plain[i] = Math.floor(random() * 90) + 1;
    h.set(i, plain[i] ?? 0);
    const at = Math.floor(random() * n);
    const sum = plain.slice(0, at).reduce((a, b) => a + b, 0);
    expect(h.offset(at)).toBe(sum);
    expect(h.at(sum)).toBe(at);
  }
});

test('an empty list', () => {
  const h = new Heights(0, () => 20);
  expect(h.total).toBe(0);
  expect(h.at(50)).toBe(0);
});
