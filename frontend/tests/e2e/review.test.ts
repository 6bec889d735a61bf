import { describe, expect, test } from 'vitest';
import { clickWord, close, openReview, useBrowser, videoTime } from './window';

useBrowser();

const near = (got: number, wantMs: number) => {
  expect(Math.abs(got * 1000 - wantMs)).toBeLessThan(100);
};
const stuff = (page: import('playwright-core').Page) =>
  page.evaluate(() => {
    const fake = (window as unknown as { fake: { calls: { name: string; args: unknown[] }[] } }).fake;
    return fake.calls.filter((c) => c.name === 'ReviewService.Decide').map((c) => c.args[1]);
  });

describe('seeking', () => {
  test('a click on any timestamp moves the player there', async () => {
    const w = await openReview();
    const transcript = w.page.getByRole('region', { name: 'Transcript' });
    await transcript.getByRole('button', { name: '00:24.5' }).click();
    await w.page.waitForFunction(() => !document.querySelector('video')?.seeking);
    near(await videoTime(w.page), 24500);
    await w.page
      .getByRole('article', { name: /Projected performance/ })
      .getByRole('button', { name: '01:03.2' })
      .click();
    await w.page.waitForFunction(() => !document.querySelector('video')?.seeking);
    near(await videoTime(w.page), 63200);
    await w.page.getByRole('button', { name: /^Medium, Unfair comparison/ }).click();
    await w.page.waitForFunction(() => !document.querySelector('video')?.seeking);
    near(await videoTime(w.page), 47900);
    await close(w);
  });

  test('a word of the transcript is a place too', async () => {
    const w = await openReview();
    await clickWord(w.page, 'The floor is sort of built in', 'sort');
    await w.page.waitForFunction(() => !document.querySelector('video')?.seeking);
    const at = await videoTime(w.page);
    expect(at).toBeGreaterThan(25);
    expect(at).toBeLessThan(26.5);
    await close(w);
  });

  test('the keys', async () => {
    const w = await openReview();
    const { page } = w;
    await page.keyboard.press(']');
    await page.waitForTimeout(200);
    near(await videoTime(page), 18600);
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(200);
    near(await videoTime(page), 19600);
    await page.keyboard.press('j');
    await page.waitForTimeout(200);
    near(await videoTime(page), 14600);
    await page.keyboard.press(' ');
    await page.waitForTimeout(700);
    expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(false);
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true);
    // ] goes round; [ back; Shift ] only to open ones.
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await page.keyboard.press('Shift+]');
    await page.keyboard.press('Shift+]');
    await close(w);
  });

  test('the player’s place is kept', async () => {
    const w = await openReview();
    await w.page.getByRole('region', { name: 'Transcript' }).getByRole('button', { name: '00:37.0' }).click();
    await w.page.waitForTimeout(300);
    await w.page.keyboard.press('Control+1');
    await w.page
      .getByRole('button', { name: /The boring half/ })
      .first()
      .click();
    await w.page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 36.9);
    near(await videoTime(w.page), 37000);
    await close(w);
  });
});

describe('deciding', () => {
  test('accept goes on to the next open finding, and can be undone and redone', async () => {
    const w = await openReview();
    const { page } = w;
    const name = () => page.locator('.card.open').getAttribute('aria-label');
    expect(await name()).toContain('Undisclosed paid tie');
    await page.keyboard.press('a');
    await page.getByText('Accepted: Undisclosed paid tie').waitFor();
    expect(await name()).toContain('Promissory claim');
    expect(await page.getByText('3 of 9 decided').count()).toBe(1);
    await page.keyboard.press('Control+z');
    await page.getByText('2 of 9 decided').waitFor();
    expect(await name()).toContain('Undisclosed paid tie');
    await page.keyboard.press('Control+y');
    await page.getByText('3 of 9 decided').waitFor();
    expect((await stuff(page)).map((v) => (v as { action: string }).action)).toEqual(['accept', 'reopen', 'accept']);
    await close(w);
  });

  test('dismissing needs a reason', async () => {
    const w = await openReview();
    const { page } = w;
    await page.keyboard.press('d');
    await page.getByRole('radio', { name: 'Another reason' }).check();
    expect(await page.getByRole('button', { name: /^Dismiss ?↵/ }).isDisabled()).toBe(true);
    await page.getByLabel('In your words').fill('A joke between friends');
    await page.keyboard.press('Enter');
    await page.getByText('3 of 9 decided').waitFor();
    expect(await stuff(page)).toEqual([{ finding_id: 'f2', action: 'dismiss', reason: 'A joke between friends' }]);
    await close(w);
  });

  test('a note, another severity, and a letter typed into a field decides nothing', async () => {
    const w = await openReview();
    const { page } = w;
    await page.keyboard.press('n');
    await page.keyboard.type('ask about the ad and the deal');
    await page.keyboard.press('Control+Enter');
    await page.getByText('“ask about the ad and the deal”').waitFor();
    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Severity: Low' }).click();
    await page.getByText('Undisclosed paid tie is now low').waitFor();
    expect((await stuff(page)).map((v) => (v as { action: string }).action)).toEqual(['comment', 'severity']);
    await close(w);
  });
});

describe('finding', () => {
  test('search in the transcript', async () => {
    const w = await openReview();
    const { page } = w;
    await page.keyboard.press('Control+f');
    await page.keyboard.type('floor');
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2').waitFor();
    await page.locator('mark.at').waitFor();
    expect(await page.locator('.line', { has: page.locator('mark.at') }).textContent()).toContain('starts to look');
    await page.keyboard.press('Escape');
    expect(await page.locator('mark').count()).toBe(0);
    await close(w);
  });

  test('filters, groups, tabs, and the list of keys', async () => {
    const w = await openReview();
    const { page } = w;
    await page.getByRole('radio', { name: 'Decided 2' }).click();
    expect(await page.getByRole('article').count()).toBe(2);
    await page.getByRole('radio', { name: 'All 9' }).click();
    await page.getByRole('button', { name: 'By severity' }).click();
    await page.getByRole('menuitemradio', { name: 'By rule' }).click();
    await page.getByRole('heading', { name: /^16 CFR 255.5\(a\)/ }).waitFor();
    await page.keyboard.press('2');
    await page.getByText('Binds registered advisers').waitFor();
    await page.keyboard.press('4');
    await page.getByText('Words not in the transcript').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.getByLabel('Find a shortcut').fill('accept');
    expect(await page.locator('.keys dt').count()).toBe(1);
    await page.keyboard.press('Escape');
    await close(w);
  });

  test('a key can be changed', async () => {
    const w = await openReview();
    const { page } = w;
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Change keys…' }).click();
    await page
      .locator('.keys div', { hasText: /^Accept/ })
      .getByRole('button')
      .click();
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.keyboard.press('y');
    await page.getByText('3 of 9 decided').waitFor();
    expect(await stuff(page)).toHaveLength(1);
    await close(w);
  });

  test('other facts run the audit again', async () => {
    const w = await openReview();
    const { page } = w;
    await page.keyboard.press('q');
    const dialog = page.getByRole('dialog', { name: 'Facts of this audit' });
    expect(await dialog.getByRole('button', { name: 'Audit again' }).isDisabled()).toBe(true);
    await dialog.getByRole('group', { name: 'Is the speaker paid for it?' }).getByText('Yes').click();
    await dialog.getByRole('button', { name: 'Audit again' }).click();
    await page.getByText('Write down speech').waitFor();
    await close(w);
  });
});

test('what a video says is shown as text, never as markup', async () => {
  const w = await openReview();
  expect(await w.page.evaluate(() => document.querySelectorAll('#app script, #app iframe').length)).toBe(0);
  await close(w);
});
