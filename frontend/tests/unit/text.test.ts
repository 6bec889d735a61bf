import { expect, test } from 'vitest';
import { de } from '../../src/lib/text/de';
import { en } from '../../src/lib/text/en';

type Tree = { [key: string]: Tree | string | string[] | ((...args: never[]) => string) };

function* leaves(tree: Tree, path = ''): Generator<[string, unknown]> {
  for (const [key, v] of Object.entries(tree)) {
    if (path + key === 'problems') continue; // by the English sentence: the Go side holds that list to its source
    if (typeof v === 'object' && !Array.isArray(v)) yield* leaves(v, `${path}${key}.`);
    else yield [path + key, v];
  }
}

const english = new Map(leaves(en as unknown as Tree));
const german = new Map(leaves(de as unknown as Tree));

test('German has every sentence, and no other', () => {
  expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
});

test('nothing is left in English', () => {
  // Words that are the same in both, or names.
  const same = /^(library\.video|library\.(none)|findings\.tabs\.|fresh\.answers\.|transcript\.flags\.)/;
  const left = [...english].filter(
    ([k, v]) => typeof v === 'string' && v !== '' && v === german.get(k) && !same.test(k),
  );
  expect(left.map(([k]) => k)).toEqual(['fresh.questions.audience.why'].filter(() => false));
});

// What a sentence with gaps says when they are filled.
function said(fn: (...a: unknown[]) => string): string {
  try {
    return fn(1, 1, 1, 1);
  } catch {
    return fn('a', 'b', 'c', 'd');
  }
}

test('no word that gives a verdict', () => {
  for (const [key, v] of english) {
    const words = typeof v === 'function' ? said(v as (...a: unknown[]) => string) : String(v);
    expect(words, key).not.toMatch(/\b(compliant|compliance|safe|passed|violation|please wait)\b/i);
    expect(words, key).not.toMatch(/!/);
  }
});

test('sentences with numbers read well for one and for many', () => {
  expect(en.working.doneText(0)).toBe('No potential issue was found.');
  expect(en.working.doneText(1)).toBe('1 potential issue found.');
  expect(en.working.doneText(2)).toBe('2 potential issues found.');
  expect(de.library.count(1)).toBe('1 Prüfung');
});
