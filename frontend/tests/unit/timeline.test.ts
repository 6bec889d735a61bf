import { expect, test } from 'vitest';
import { keep, maxZoom, move, percent, rows, stretches, thin, whole, zoom, zoomOf } from '../../src/lib/logic/timeline';

const hour = 3_600_000;

test('zooming keeps the moment under the pointer where it is', () => {
  const v = zoom(whole(hour), 4, 600_000, hour);
  expect(zoomOf(v, hour)).toBeCloseTo(4);
  expect(percent(v, 600_000)).toBeCloseTo(percent(whole(hour), 600_000));
});

test('a view stays inside the video and shows at least two seconds', () => {
  expect(zoom(whole(hour), 0.1, 0, hour)).toEqual({ from: 0, to: hour });
  const near = zoom(whole(hour), 1e9, hour, hour);
  expect(near.to).toBe(hour);
  expect(near.to - near.from).toBe(2000);
  expect(zoom(whole(500), 10, 100, 500)).toEqual({ from: 0, to: 500 });
  expect(maxZoom(500)).toBe(1);
  expect(move({ from: 0, to: 10 }, -50, 100)).toEqual({ from: 0, to: 10 });
  expect(move({ from: 0, to: 10 }, 95, 100)).toEqual({ from: 90, to: 100 });
});

test('it turns the page when the playhead leaves', () => {
  const v = { from: 0, to: 10_000 };
  expect(keep(v, 5000, hour)).toBe(v);
  expect(keep(v, 10_001, hour)).toEqual({ from: 9001, to: 19_001 });
  expect(keep({ from: 50_000, to: 60_000 }, 1000, hour).from).toBe(0);
});

test('texts on the screen at one time stand in rows', () => {
  const spans = [
    { start_ms: 0, end_ms: 1000 },
    { start_ms: 500, end_ms: 3000 },
    { start_ms: 1200, end_ms: 1500 },
    { start_ms: 1300, end_ms: 1600 },
  ];
  expect(rows(spans, 100, 2).map((r) => r.row)).toEqual([0, 1, 0, 1]);
});

test('of marks on one place the weightiest stands, and says how many it covers', () => {
  const v = { from: 0, to: 1000 };
  const marks = [
    { at: 100, weight: 2 },
    { at: 104, weight: 1 },
    { at: 108, weight: 3 },
    { at: 500, weight: 3 },
  ];
  const by = (slots: number) =>
    thin(
      marks,
      v,
      slots,
      (m) => m.at,
      (m) => m.weight,
    ).map(({ item, more }) => [item.at, more]);
  expect(by(10)).toEqual([
    [104, 2],
    [500, 0],
  ]);
  expect(by(1000).map(([, more]) => more)).toEqual([0, 0, 0, 0]);
});

test('speech without pauses that an eye could see is one stretch, and what is not in view is left out', () => {
  const spoken = Array.from({ length: 7200 }, (_, i) => ({ start_ms: i * 3000, end_ms: i * 3000 + 2900 }));
  const all = whole(6 * hour);
  expect(stretches(spoken, all, 36_000)).toEqual([{ start_ms: 0, end_ms: 7199 * 3000 + 2900 }]);
  expect(stretches(spoken, { from: 3000, to: 8000 }, 10)).toEqual([
    { start_ms: 3000, end_ms: 5900 },
    { start_ms: 6000, end_ms: 8900 },
  ]);
  const long = [
    { start_ms: 0, end_ms: 9000 },
    { start_ms: 1000, end_ms: 2000 },
    { start_ms: 9500, end_ms: 9600 },
  ];
  expect(stretches(long, all, 100)).toEqual([
    { start_ms: 0, end_ms: 9000 },
    { start_ms: 9500, end_ms: 9600 },
  ]);
});
