import { expect, test } from 'vitest';
import { translate } from '../../src/lib/logic/said';

const forms = {
  'The network is off ({0} is set), so {1}.': 'Das Netz ist aus ({0} ist gesetzt): {1}.',
  'nothing is fetched': 'Es wird nichts geholt',
  'The site cannot be reached.': 'Die Seite ist nicht zu erreichen.',
  '"{0}" has {1} MB': '{1} MB hat „{0}“',
};

test('a sentence is said by its form, and what stands in its places too where it is known', () => {
  expect(
    translate(forms, 'The network is off (X is set), so nothing is fetched.', {
      key: 'The network is off ({0} is set), so {1}.',
      args: ['X', 'nothing is fetched'],
    }),
  ).toBe('Das Netz ist aus (X ist gesetzt): Es wird nichts geholt.');
  expect(translate(forms, '"a" has 2 MB', { key: '"{0}" has {1} MB', args: ['a', '2'] })).toBe('2 MB hat „a“');
});

test('a sentence that came without its form may be one itself', () => {
  expect(translate(forms, 'The site cannot be reached.')).toBe('Die Seite ist nicht zu erreichen.');
  expect(translate(forms, 'The site cannot be reached.', { key: '{0}', args: ['The site cannot be reached.'] })).toBe(
    'Die Seite ist nicht zu erreichen.',
  );
});

test('what no catalogue knows stays as it is', () => {
  expect(translate(forms, 'Something else.', { key: 'Something {0}.', args: ['else'] })).toBe('Something else.');
  expect(translate(forms, 'What {0} is', { key: 'nothing is fetched' })).toBe('Es wird nichts geholt');
});
