import { expect, test } from 'vitest';
import { actionOf, bindings, capsOf, nameOf, table } from '../../src/lib/logic/keys';
import { en } from '../../src/lib/text/en';

const event = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  target: null,
  ...more,
});

test.each([
  [event(' '), 'Space'],
  [event('A'), 'a'],
  [event('A', { shiftKey: true }), 'Shift+a'],
  [event('?', { shiftKey: true }), '?'],
  [event('}', { shiftKey: true }), '}'],
  [event('f', { ctrlKey: true }), 'Ctrl+f'],
  [event('Z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+z'],
  [event('F6'), 'F6'],
  [event('a', { altKey: true }), ''],
])('the name of a key', (e, want) => {
  expect(nameOf(e)).toBe(want);
});

test('each key does one thing', () => {
  const all = bindings.flatMap((b) => b.keys);
  expect(new Set(all).size).toBe(all.length);
});

test('every action has a name', () => {
  for (const b of bindings) expect(en.help.actions[b.action]).toBeTruthy();
});

test('a changed key replaces those that came', () => {
  const keys = table({ accept: 'y' });
  expect(actionOf(event('y'), keys)).toBe('accept');
  expect(actionOf(event('a'), keys)).toBeNull();
  expect(actionOf(event('d'), keys)).toBe('dismiss');
});

test('caps', () => {
  expect(capsOf('Ctrl+Shift+z')).toEqual(['Ctrl', '⇧', 'Z']);
  expect(capsOf('+')).toEqual(['+']);
  expect(capsOf('ArrowLeft')).toEqual(['←']);
});
