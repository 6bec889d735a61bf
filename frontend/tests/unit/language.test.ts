import { expect, test } from 'vitest';
import { langOf, ruleLang } from '../../src/lib/logic/language';

test('the language of words, empty where nobody knows it', () => {
  expect(langOf('es')).toBe('es');
  for (const code of [undefined, '', 'und', 'auto']) expect(langOf(code)).toBe('');
});

test('official rules and cards are English, a firm’s own may be in any language', () => {
  expect(ruleLang('16 CFR 255.5(a)')).toBe('en');
  expect(ruleLang('17 CFR 275.206(4)-1(a)(1)')).toBe('en');
  expect(ruleLang('FINRA 2210(d)(1)(B)')).toBe('en');
  expect(ruleLang('HOUSE 12')).toBe('');
});
