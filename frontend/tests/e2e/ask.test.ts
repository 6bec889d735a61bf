import { describe, expect, test } from 'vitest';
import { calls, close, open, shot, stumbles, useBrowser, type Opened } from './window';
import type { Options } from '../fake/services';

useBrowser();

async function openAsk(options: Partial<Options> = {}, size?: { width: number; height: number }): Promise<Opened> {
  const w = await open(options, size);
  await w.page.keyboard.press('Control+2');
  await w.page.getByRole('textbox').waitFor();
  return w;
}

const ask = async (w: Opened, question: string) => {
  await w.page.getByRole('textbox').fill(question);
  await w.page.keyboard.press('Enter');
};

describe('asking', () => {
  test('an answer comes sentence by sentence, and its numbers open the source at the quoted words', async () => {
    const w = await openAsk({ slow: true, speed: 2 });
    const { page } = w;
    expect(await stumbles(page)).toEqual([]);
    await ask(w, 'May a host promise a return?');
    await page.getByText('4 passages found').waitFor();
    // The source's own words come first; then the model explains them.
    await page.getByText('The language model explains it').waitFor();
    await page.getByRole('list', { name: 'The sources’ own words' }).getByText('may not publish a statement').waitFor();
    expect(await page.getByText('Not in those words').count()).toBe(0);
    await page.getByText('Not in those words').first().waitFor();
    expect(await page.getByText('Confidence: high').count()).toBe(0); // it is still being written
    await page.getByText('Confidence: high').waitFor();
    expect(await page.getByText('2 sentences of the model').count()).toBe(1);
    expect(await page.getByRole('list', { name: 'What the answer rests on' }).getByRole('listitem').count()).toBe(1);
    expect(await page.getByText('1 removed, no support').count()).toBe(1);
    await page.getByRole('button', { name: '1: FINRA 2210(d)(1)(B)' }).first().click();
    const source = page.getByRole('complementary', { name: 'Source' });
    await source.locator('mark').waitFor(); // in the text that is quoted, and not in the card beside it as well
    expect(await source.locator('mark').textContent()).toBe(
      'may not publish a statement that promises a result it cannot stand behind',
    );
    expect(await source.locator('[aria-current="true"] .cite').textContent()).toContain('FINRA 2210(d)(1)(B)');
    expect(await stumbles(page)).toEqual([]);
    // Escape closes the source and gives the focus back to the number.
    await page.keyboard.press('Escape');
    expect(await source.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('1');
    await close(w);
  });

  test('stop, and what was checked stays', async () => {
    const w = await openAsk({ slow: true });
    const { page } = w;
    await ask(w, 'May a host promise a return?');
    await page.getByText('may not publish a statement').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByText('the sources’ own sentences', { exact: true }).waitFor(); // what it is that stays
    await page.getByText('What stands above was checked before').waitFor();
    expect((await calls(page, 'AskService.Cancel')).length).toBe(1);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('Confidence: high').waitFor();
    await close(w);
  });

  test('a refusal says why, and leads to what is nearest', async () => {
    const w = await openAsk();
    const { page } = w;
    await ask(w, 'What fine should we expect?');
    await page.getByText('Nothing installed says how penalties are set.').waitFor();
    await page.getByText('Not answered').waitFor();
    expect(await stumbles(page)).toEqual([]);
    await page.locator('.near').getByRole('button', { name: 'FINRA 2210(d)(1)(A)' }).click();
    await page.getByRole('complementary', { name: 'Source' }).getByText('Rule card').waitFor();
    await close(w);
  });

  test('filters that were read from the question can be taken away', async () => {
    const w = await openAsk();
    const { page } = w;
    await ask(w, 'What were Harbour Lights’ net sales in 2024?');
    const filters = page.getByRole('group', { name: 'Read from the question' });
    await filters.getByText('Harbour Lights Inc. 10-K FY2024').waitFor();
    await page.getByText('the columns of a table do not add up').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^1: Item 8/ }).click();
    const source = page.getByRole('complementary', { name: 'Source' });
    await source.locator('tr.on').waitFor();
    expect(await source.locator('tr.on').textContent()).toContain('$391,035');
    expect(await stumbles(page)).toEqual([]);
    await shot(page, 'ask-document');
    await page.getByRole('button', { name: 'Ask again without “Harbour Lights Inc. 10-K FY2024”' }).click();
    await page.getByText('Confidence: medium').waitFor();
    const [, again] = await calls(page, 'AskService.Ask');
    expect((again as [{ without: string[]; text: string }])[0]).toMatchObject({
      without: ['Harbour Lights'],
      text: 'What were Harbour Lights’ net sales in 2024?',
    });
    await close(w);
  });

  test('without a language model the passages answer', async () => {
    const w = await openAsk({ model: '' });
    const { page } = w;
    await page.getByText('No language model is installed').waitFor();
    expect(await page.getByRole('radio', { name: 'Passages only' }).getAttribute('aria-checked')).toBe('true');
    expect(await page.getByRole('radio', { name: 'Standard' }).isDisabled()).toBe(true);
    await ask(w, 'May a host promise a return?');
    await page.getByText('the sources’ own sentences').waitFor();
    expect(((await calls(page, 'AskService.Ask'))[0] as [{ mode: string }])[0].mode).toBe('passages');
    await close(w);
  });

  test('where to look, as chips that can be removed', async () => {
    const w = await openAsk();
    const { page } = w;
    await page.getByRole('button', { name: 'Where to look…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where to look' });
    await dialog.getByLabel('Rules only').check();
    await dialog.getByLabel('FINRA').check();
    await dialog.getByLabel('In force on').fill('2024-01-01');
    expect(await stumbles(page)).toEqual([]);
    await shot(page, 'ask-where');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove FINRA' }).click();
    await ask(w, 'May a host promise a return?');
    await page.getByText('Confidence: high').waitFor();
    expect(((await calls(page, 'AskService.Ask'))[0] as [object])[0]).toMatchObject({
      corpora: ['rules', 'cards'],
      regulators: [],
      as_of: '2024-01-01',
    });
    await close(w);
  });

  test('threads of this session, and what leads from the rules to a question', async () => {
    const w = await openAsk();
    const { page } = w;
    await ask(w, 'May a host promise a return?');
    await page.getByText('Confidence: high').waitFor();
    await ask(w, 'And if he is paid?');
    await page.getByRole('article', { name: 'And if he is paid?' }).getByText('Confidence: high').waitFor();
    const sent = (await calls(page, 'AskService.Ask')) as [{ thread: string }][];
    expect(sent[1]?.[0].thread).toBe(sent[0]?.[0].thread);
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByText('Ask the rules').waitFor();
    await page.getByRole('button', { name: 'What does FINRA 2210(d)(1)(B) say?' }).click();
    await page.getByText('the paragraph’s own text').waitFor();
    await page.getByRole('button', { name: 'Questions of this session' }).click();
    await page.getByRole('menuitemradio', { name: /May a host promise.*2 questions/ }).click();
    expect(await page.getByRole('article').count()).toBe(2);
    // Another view and back: the session is still there.
    await page.keyboard.press('Control+3');
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('Control+2');
    expect(await page.getByRole('article').count()).toBe(2);
    await close(w);
  });

  test('careful: the sentences are read again, and none shows before', async () => {
    const w = await openAsk();
    const { page } = w;
    await page.getByRole('radio', { name: 'Careful' }).click();
    await ask(w, 'May a host promise a return?');
    await page.getByText('read again beside its quotes').waitFor();
    expect(((await calls(page, 'AskService.Ask'))[0] as [{ mode: string }])[0].mode).toBe('careful');
    // the arrow keys go on from there
    await page.getByRole('radio', { name: 'Careful' }).press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Standard' }).getAttribute('aria-checked')).toBe('true');
    await close(w);
  });

  test('earlier questions come from the record, and go on from there', async () => {
    const w = await openAsk();
    const { page } = w;
    await page.getByRole('button', { name: 'Earlier questions…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Earlier questions' });
    await dialog.getByText('3 questions').waitFor();
    expect(await stumbles(page)).toEqual([]);
    await shot(page, 'ask-past');
    await dialog.getByRole('searchbox').fill('fine expect');
    await dialog.getByText('1 question', { exact: true }).waitFor();
    await dialog.getByRole('searchbox').fill('nobody asked this');
    await dialog.getByText('No question has these words.').waitFor();
    await dialog.getByRole('searchbox').fill('promise');
    await dialog.getByRole('button', { name: /May a host promise/ }).click();
    await page.getByText('read again beside its quotes').waitFor();
    await page.getByRole('button', { name: '1: FINRA 2210(d)(1)(B)' }).first().click();
    await page.getByRole('complementary', { name: 'Source' }).locator('mark').waitFor();
    expect(await stumbles(page)).toEqual([]);
    await ask(w, 'And if he is paid?');
    await page.getByRole('article', { name: 'And if he is paid?' }).getByText('Confidence: high').waitFor();
    expect(((await calls(page, 'AskService.Ask'))[0] as [{ thread: string }])[0].thread).toBe('r40');
    expect(await page.getByRole('article').count()).toBe(2);
    await close(w);
  });

  test('a failure is told in the language that is set', async () => {
    const w = await openAsk({ settings: { language: 'de' } });
    await ask(w, 'Please break it');
    await w.page.getByText('Das Sprachmodell antwortete nicht innerhalb von 3m0s.').waitFor();
    await shot(w.page, 'ask-failed-german');
    await close(w);
  });

  test('a failure says so, with its details', async () => {
    const w = await openAsk();
    await ask(w, 'Please break it');
    await w.page.getByText('The language model did not answer within 3m0s').waitFor();
    await w.page.getByRole('alert').getByText('Details').click();
    await w.page.getByText('what a tool said').waitFor();
    await shot(w.page, 'ask-failed');
    await close(w);
  });

  test('documents are added by dialog', async () => {
    const w = await openAsk({ documents: false });
    const { page } = w;
    await page.getByRole('button', { name: 'Where to look…' }).click();
    await page.getByText('No document is imported yet.').waitFor();
    await page.getByRole('button', { name: 'Add documents…' }).click();
    await page.getByRole('button', { name: 'Choose files…' }).click();
    await page.getByText('handbook.pdf').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/Making it searchable: 400 of 1073/).waitFor();
    await page.getByText('1073 passages').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Where to look…' }).click();
    await page.getByLabel('Harbour Lights Inc. 10-K FY2024', { exact: true }).waitFor();
    await close(w);
  });
});

test('screens of Ask', async () => {
  for (const [name, options, size] of [
    ['ask-light', { settings: { theme: 'light' } }, { width: 1440, height: 900 }],
    ['ask-dark', { settings: { theme: 'dark' } }, { width: 1440, height: 900 }],
    ['ask-german', { settings: { language: 'de' } }, { width: 1440, height: 900 }],
    ['ask-900', {}, { width: 900, height: 600 }],
    ['ask-2560', {}, { width: 2560, height: 1440 }],
    ['ask-200', { settings: { zoom: 200 } }, { width: 1920, height: 1200 }],
  ] as const) {
    const w = await openAsk(options as Partial<Options>, size);
    await shot(w.page, `${name}-empty`);
    await ask(w, 'May a host promise a return?');
    await w.page.locator('.supports').waitFor();
    await w.page.locator('.chip.ok').first().waitFor();
    if (name !== 'ask-900') {
      await ask(w, 'What fine should we expect?');
      await w.page.locator('.refuse').waitFor();
    }
    await w.page.locator('.answer .ref').first().click();
    await w.page.locator('aside mark').first().waitFor();
    await w.page.waitForTimeout(300);
    await shot(w.page, name);
    expect(await stumbles(w.page), name).toEqual([]);
    await close(w);
  }
});
