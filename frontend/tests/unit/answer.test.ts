import { describe, expect, test } from 'vitest';
import type { AskRequest, Exchange, Sentence } from '../../src/lib/api';
import { blocks, merge, numbered, parted, plainQuote, threads, withoutFilter } from '../../src/lib/logic/answer';
import { scrollTo } from '../../src/lib/logic/view';
import { answer } from '../fake/rules';

const request: AskRequest = {
  thread: 't1',
  text: 'May a host promise a return?',
  mode: 'standard',
  corpora: [],
  regulators: [],
  documents: [],
  without: [],
};

describe('what an answer rests on', () => {
  test('quotes are numbered as they are read, each with its passage', () => {
    const { sentences, references } = numbered(answer(request, 'a model'));
    expect(sentences.map((s) => s.numbers)).toEqual([[1], [2], [1], [3]]);
    expect(references.map((r) => [r.number, r.support.citation, r.passage?.rank])).toEqual([
      [1, 'FINRA 2210(d)(1)(B)', 1],
      [2, 'FINRA 2210(d)(1)(A)', 2],
      [3, '16 CFR 255.5(a)', 3],
    ]);
  });

  test('what two sentences rest on has one number, and another quote of the same paragraph has its own', () => {
    const on = (quote: string) => ({ citation: 'FINRA 2210(a)', source: 'x', quote, passage: 9 });
    const sentence = (...quotes: string[]): Sentence => ({ text: 'x', verbatim: false, support: quotes.map(on) });
    const { sentences, references } = numbered({
      sentences: [sentence('one'), sentence('two', 'one'), sentence('one')],
      passages: [],
    });
    expect(sentences.map((s) => s.numbers)).toEqual([[1], [2, 1], [1]]);
    expect(references.map((r) => r.passage)).toEqual([undefined, undefined]);
  });

  test('a paragraph’s own words are told without the citation before them', () => {
    const a = answer({ ...request, text: 'What does FINRA 2210(d)(1)(B) say?' }, 'a model');
    expect(parted(a)).toMatchObject({ said: [], rests: [] });
    expect(numbered(a).sentences[0]?.text).toMatch(/^\(B\) It may not publish/);
    const phrased: Sentence = { ...(a.sentences[0] as Sentence), verbatim: false };
    expect(numbered({ ...a, sentences: [phrased] }).sentences[0]?.text).toMatch(/^FINRA 2210\(d\)\(1\)\(B\): /);
  });

  test('the sources’ words come first, and what is told there is not told twice', () => {
    const { own, said, rests } = parted(answer(request, 'a model'));
    expect(own.map((s) => s.numbers)).toEqual([[1], [2]]);
    expect(said.map((s) => s.numbers)).toEqual([[1], [3]]);
    expect(rests.map((r) => r.number)).toEqual([3]);
    expect(parted({ sentences: [], passages: [] })).toEqual({ own: [], said: [], rests: [], references: [] });
  });

  test('a row of a table is read without its bars', () => {
    expect(plainQuote('| Net sales | $391,035 |  | $383,285 |')).toBe('Net sales · $391,035 · $383,285');
    expect(plainQuote(' a | b ')).toBe('a | b');
  });
});

describe('a session', () => {
  const e = (id: string, thread: string, text: string, state: Exchange['state'] = 'done') =>
    ({ id, state, request: { ...request, thread, text } }) as Exchange;

  test('an update takes its place, and one that nobody knows is the newest', () => {
    const list = [e('q1', 't1', 'one', 'working'), e('q2', 't1', 'two')];
    expect(merge(list, e('q1', 't1', 'one')).map((x) => x.state)).toEqual(['done', 'done']);
    expect(merge(list, e('q3', 't2', 'three')).map((x) => x.id)).toEqual(['q1', 'q2', 'q3']);
    expect(list[0]?.state).toBe('working'); // what a view holds does not change under it
  });

  test('threads bear their first question, the newest first', () => {
    expect(threads([e('q1', 't1', 'one'), e('q2', 't2', 'two'), e('q3', 't1', 'three')])).toEqual([
      { id: 't2', title: 'two', count: 1 },
      { id: 't1', title: 'one', count: 2 },
    ]);
  });

  test('a filter is taken away once, beside those before it', () => {
    const once = withoutFilter({ ...request, without: ['2024'] }, 'Apple');
    expect(once.without).toEqual(['2024', 'Apple']);
    expect(withoutFilter(once, 'Apple').without).toEqual(['2024', 'Apple']);
    expect(request.without).toEqual([]);
  });
});

test('a passage is cut into paragraphs and tables', () => {
  expect(blocks('In millions\n| | 2024 |\n| --- | --- |\n| Sales | 391 |\n\nSee note 2.')).toEqual([
    { kind: 'text', text: 'In millions' },
    {
      kind: 'table',
      rows: [
        { raw: '| | 2024 |', cells: ['', '2024'] },
        { raw: '| Sales | 391 |', cells: ['Sales', '391'] },
      ],
    },
    { kind: 'text', text: 'See note 2.' },
  ]);
  expect(blocks('a --- b')).toEqual([{ kind: 'text', text: 'a --- b' }]);
  expect(blocks('')).toEqual([]);
});

test('a place comes into the upper third, and what does not fit begins at the top', () => {
  expect(scrollTo(1000, 20, 600)).toBe(800);
  expect(scrollTo(1000, 500, 600)).toBe(950);
  expect(scrollTo(1000, 900, 600)).toBe(1000);
  expect(scrollTo(50, 20, 600)).toBe(0);
});
