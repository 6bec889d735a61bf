import { describe, expect, test } from 'vitest';
import { calls, close, open, shot, stumbles, useBrowser, type Opened } from './window';
import type { Options } from '../fake/services';

useBrowser();

async function openRules(options: Partial<Options> = {}, size?: { width: number; height: number }): Promise<Opened> {
  const w = await open(options, size);
  await w.page.keyboard.press('Control+3');
  await w.page.locator('main.rules').waitFor();
  return w;
}

describe('the tree', () => {
  test('by keyboard from a regulator to a paragraph', async () => {
    const w = await openRules();
    const { page } = w;
    const tree = page.getByRole('tree', { name: 'Installed rules' });
    await tree.focus();
    expect(await stumbles(page)).toEqual([]);
    // Type-ahead to FINRA 2210, open it, go down to (d), open it.
    await page.keyboard.type('finra 2210');
    await page.keyboard.press('ArrowRight');
    await tree.getByRole('treeitem', { name: /^\(a\)/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No promises' }).waitFor();
    const item = tree.getByRole('treeitem', { name: /^\(B\)/ });
    expect(await item.getAttribute('aria-level')).toBe('5');
    expect(await item.getAttribute('aria-selected')).toBe('true');
    expect(await tree.getAttribute('aria-activedescendant')).toBe(await item.getAttribute('id'));
    // Left goes to what is above, and closes it.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await item.count()).toBe(0);
    expect(await stumbles(page)).toEqual([]);
    await close(w);
  });

  test('a rule of thousands of paragraphs stays light', async () => {
    const w = await openRules();
    const { page } = w;
    const tree = page.getByRole('tree');
    await tree
      .getByRole('treeitem', { name: /12 CFR 1026/ })
      .locator('.turn')
      .click();
    await tree.getByRole('treeitem', { name: /1026\.1 / }).waitFor();
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(80);
    await tree.focus();
    await page.keyboard.press('End');
    await tree.getByRole('treeitem', { name: /Calder Reach 3/ }).waitFor();
    await close(w);
  });
});

describe('reading', () => {
  test('a paragraph in its text, the card beside it, and the way on', async () => {
    const w = await openRules();
    const { page } = w;
    await page.keyboard.press('/');
    await page.keyboard.type('promises');
    await page.getByRole('button', { name: /FINRA 2210\(d\)\(1\)\(B\)/ }).waitFor();
    expect(await page.locator('.hits mark').first().textContent()).toBe('promises');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No promises' }).waitFor();
    const official = page.getByRole('region', { name: 'Official text' });
    expect(await official.locator('[aria-current="true"]').textContent()).toContain('may not publish a statement');
    await official.getByText('1 Apr 2026').waitFor();
    await official.getByRole('button', { name: '4be1a7…' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await calls(page, 'clipboard')).toEqual([['4be1a7d0c9'.repeat(64).slice(0, 64)]]);
    const card = page.getByRole('region', { name: 'Rule card' });
    for (const words of ['A yearly gain named as certain', 'compared with the text', 'FINRA member'])
      await card.getByText(words).first().waitFor();
    await page.getByRole('button', { name: 'Paragraph after' }).click();
    await page.getByRole('heading', { name: 'Risk beside gain' }).waitFor();
    await page.getByText('Its words differ from the text').waitFor();
    await card.getByRole('button', { name: '16 CFR 255.5(a)' }).click();
    await page.getByRole('heading', { name: 'Tell a tie clearly' }).waitFor();
    expect(await stumbles(page)).toEqual([]);
    await page.getByRole('button', { name: 'Ask about it' }).click();
    expect(await page.getByRole('textbox').inputValue()).toBe('What does 16 CFR 255.5(a) say?');
    await close(w);
  });

  test('what has no card, and what has no text, says why', async () => {
    const w = await openRules();
    const { page } = w;
    await page.keyboard.press('/');
    await page.keyboard.type('FINRA 2210(d)');
    await page.getByRole('button', { name: /^FINRA 2210\(d\) / }).click();
    await page.getByText('Deliberately without a card: Only a heading').first().waitFor();
    await page.getByLabel('Find a rule').first().fill('options');
    await page.getByRole('button', { name: /FINRA 2220\(d\)\(1\)/ }).click();
    await page.getByText('The official text is not installed').waitFor();
    await page
      .getByRole('group', { name: 'Official text' })
      .getByRole('button', { name: 'Get official texts…' })
      .waitFor();
    await page.getByText('not compared with the text').waitFor();
    await page.getByLabel('Find a rule').first().fill('coins');
    await page.getByRole('button', { name: /Calder Reach 3\.1/ }).click();
    await page.getByText('House rules have no official text').waitFor();
    await close(w);
  });

  test('offline it advises only what works', async () => {
    const w = await openRules();
    const { page } = w;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Off', exact: true }).click();
    await page.getByRole('button', { name: 'Off', exact: true, pressed: true }).waitFor();
    await page.keyboard.press('Control+3');
    await page.keyboard.press('/');
    await page.keyboard.type('options');
    await page.getByRole('button', { name: /FINRA 2220\(d\)\(1\)/ }).click();
    await page.getByText('Downloads are off in the settings').waitFor();
    const text = page.getByRole('group', { name: 'Official text' });
    expect(await text.getByRole('button', { name: 'Get official texts…' }).count()).toBe(0);
    await close(w);
  });

  test('a rule as a whole: dates, hashes, agreement, and what has no card', async () => {
    const w = await openRules();
    const { page } = w;
    await page.getByRole('treeitem', { name: /16 CFR 255/ }).click();
    await page.getByRole('heading', { name: '16 CFR 255' }).waitFor();
    await page.getByText('26 Jul 2023').first().waitFor();
    await page.getByText('Cards and text agree.').waitFor();
    await page.getByText('Only a heading; its paragraphs have cards.').waitFor();
    expect(await stumbles(page)).toEqual([]);
    await shot(page, 'rules-about');
    await page.getByRole('button', { name: 'Remove' }).last().click();
    await page
      .getByRole('dialog', { name: /ftc-255@2023-07-26/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByText('was removed').waitFor();
    expect(await calls(page, 'ImportService.Remove')).toEqual([['text', 'ftc-255@2023-07-26']]);
    await close(w);
  });

  test('another day is another text', async () => {
    const w = await openRules();
    const { page } = w;
    await page.getByLabel('In force on').fill('soon');
    await page.keyboard.press('Enter');
    await page.getByText('A day is written as').waitFor();
    await page.getByLabel('In force on').fill('2024-01-01');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: /16 CFR 255/ }).click();
    await page.getByRole('heading', { name: '16 CFR 255' }).waitFor();
    expect((await calls(page, 'RulesService.About')).pop()).toEqual(['16 CFR 255', '2024-01-01']);
    await close(w);
  });
});

describe('importing', () => {
  test('a text by dialog, with progress and what came of it', async () => {
    const w = await openRules();
    const { page } = w;
    await page.getByRole('button', { name: 'Import a text…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import an official text' });
    expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Choose files…' }).click();
    await dialog.getByText('reg-e.xml').waitFor();
    await dialog.getByLabel('In force on').fill('2016-11-31');
    await dialog.getByText('A day is written as').waitFor();
    await dialog.getByLabel('In force on').fill('2016-11-14');
    expect(await stumbles(page)).toEqual([]);
    await shot(page, 'import');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('Making it searchable: 400 of 1073').waitFor();
    await dialog.getByText('49 sections, 1395 paragraphs').waitFor();
    expect(await stumbles(page)).toEqual([]);
    await shot(page, 'import-done');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await calls(page, 'ImportService.Texts')).toEqual([
      [{ paths: ['/home/lena/Rules/reg-e.xml'], as_of: '2016-11-14' }],
    ]);
    await close(w);
  });

  test('a file that is no rule says why', async () => {
    const w = await openRules();
    const { page } = w;
    await page.evaluate(() => {
      const services = (window as unknown as { go: { app: { ImportService: { Choose: () => Promise<string[]> } } } }).go
        .app;
      services.ImportService.Choose = () => Promise.resolve(['/tmp/odd.txt']);
    });
    await page.getByRole('button', { name: 'Import a text…' }).click();
    await page.getByRole('button', { name: 'Choose files…' }).click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('No rule was found in the text').waitFor();
    await shot(page, 'import-failed');
    await close(w);
  });
});

test('nothing installed, and rules that cannot be read', async () => {
  const none = await openRules({ empty: true });
  await none.page.getByText('No rules are installed').waitFor();
  expect(await stumbles(none.page)).toEqual([]);
  await shot(none.page, 'rules-empty');
  await close(none);
  const broken = await openRules({ broken: true });
  await broken.page.getByRole('alert').getByText('from a newer version').waitFor();
  await broken.page.getByRole('button', { name: 'Try again' }).click();
  await shot(broken.page, 'rules-broken');
  await close(broken);
});

test('screens of Rules', async () => {
  for (const [name, options, size] of [
    ['rules-light', { settings: { theme: 'light' } }, { width: 1440, height: 900 }],
    ['rules-dark', { settings: { theme: 'dark' } }, { width: 1440, height: 900 }],
    ['rules-german', { settings: { language: 'de' } }, { width: 1440, height: 900 }],
    ['rules-900', {}, { width: 900, height: 600 }],
    ['rules-2560', {}, { width: 2560, height: 1440 }],
    ['rules-200', { settings: { zoom: 200 } }, { width: 1920, height: 1200 }],
  ] as const) {
    const w = await openRules(options as Partial<Options>, size);
    const { page } = w;
    await page.keyboard.press('/');
    await page.keyboard.type('promises');
    await page.locator('.hits button').first().click();
    await page.locator('[aria-current="true"]').first().waitFor();
    await page.waitForTimeout(200);
    await shot(page, `${name}-search`);
    await page.locator('input[type="search"]').first().press('Escape');
    await page.getByRole('tree').waitFor();
    await page.waitForTimeout(200);
    await shot(page, name);
    expect(await stumbles(page), name).toEqual([]);
    await close(w);
  }
});
