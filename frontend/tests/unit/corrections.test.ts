import { describe, expect, test } from 'vitest';
import type { Correction, Segment } from '../../src/lib/api';
import { byLine, corrected } from '../../src/lib/logic/corrections';

const line: Segment = {
  id: 's1',
  source: 'speech',
  start_ms: 0,
  end_ms: 900,
  text: 'by the hall yard note',
  words: [{ text: 'by', start_ms: 0, end_ms: 200 }],
  flag: 'silence',
};
const fix = (text: string): Correction => ({
  source: 'speech',
  start_ms: 0,
  end_ms: 900,
  machine: 'by the hall yard note',
  text,
  by: 'L. Brandt',
  at: '2026-11-24T09:00:00Z',
});

describe('corrections', () => {
  test('stand for the line that the machine made the same of', () => {
    const found = byLine([line, { ...line, id: 's2', start_ms: 900 }], [fix('Buy the Halyard note')]);
    expect([...found.keys()]).toEqual(['s1']);
  });

  test('find a line again whose text is a correction already', () => {
    const audited = corrected(line, fix('Buy the Halyard'));
    expect(byLine([audited], [fix('Buy the Halyard note')]).get('s1')?.text).toBe('Buy the Halyard note');
  });

  test('replace the words', () => {
    const got = corrected(line, fix('Buy the Halyard note'));
    expect(got.text).toBe('Buy the Halyard note');
    expect(got.flag).toBeUndefined();
    expect(got.corrected?.machine).toBe(line.text);
    expect(corrected(line, undefined)).toBe(line);
  });

  test('strike a line out and keep what the machine had', () => {
    const got = corrected(line, fix(''));
    expect(got.flag).toBe('struck');
    expect(got.text).toBe(line.text);
  });
});
