// Every screen, to be looked at: test-results/screens.
import { test } from 'vitest';
import { close, open, openReview, shot, useBrowser } from './window';

useBrowser();

const settle = 400;

test('library', async () => {
  const w = await open();
  await w.page.waitForTimeout(settle);
  await shot(w.page, 'library');
  await close(w);
  const dark = await open({ settings: { theme: 'dark' } });
  await dark.page.waitForTimeout(settle);
  await shot(dark.page, 'library-dark');
  await close(dark);
  const none = await open({ rows: 'none' });
  await shot(none.page, 'library-empty');
  await close(none);
});

test('review', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const w = await openReview({ settings: { theme } });
    await w.page
      .getByRole('article', { name: /Promissory/ })
      .getByRole('button', { name: 'Promissory claim' })
      .click();
    await w.page.waitForTimeout(settle);
    await shot(w.page, `review-${theme}`);
    await close(w);
  }
});

test('review, other sizes', async () => {
  for (const [width, height] of [
    [900, 600],
    [1150, 720],
    [1920, 1080],
    [2560, 1440],
  ] as const) {
    const w = await openReview({}, { width, height });
    await w.page.getByRole('button', { name: 'Promissory claim' }).first().click();
    await w.page.waitForTimeout(settle);
    await shot(w.page, `review-${width}`);
    await close(w);
  }
});

test('review, other states', async () => {
  const w = await openReview();
  await w.page.keyboard.press('d');
  await w.page.waitForTimeout(settle);
  await shot(w.page, 'review-dismiss');
  await w.page.keyboard.press('Escape');
  for (const [key, name] of [
    ['2', 'not-applicable'],
    ['3', 'clear'],
    ['4', 'dropped'],
  ] as const) {
    await w.page.keyboard.press(key);
    await shot(w.page, `review-${name}`);
  }
  await w.page.keyboard.press('1');
  await w.page.keyboard.press('?');
  await w.page.waitForTimeout(settle);
  await shot(w.page, 'help');
  await w.page.keyboard.press('Escape');
  await w.page.keyboard.press('q');
  await w.page.waitForTimeout(settle);
  await shot(w.page, 'facts');
  await close(w);
  const text = await openReview({ media: '' }, undefined, 'Ask me anything');
  await shot(text.page, 'review-text');
  await close(text);
  const moved = await openReview({ media: '' }, undefined, 'Covered calls');
  await shot(moved.page, 'review-moved');
  await close(moved);
});

test('new audit, working, settings', async () => {
  const w = await open();
  await w.page.getByRole('button', { name: 'New audit' }).click();
  await w.page.getByText('Five facts decide').waitFor();
  await w.page.waitForTimeout(settle);
  await shot(w.page, 'new-audit');
  await w.page.getByRole('button', { name: /Start audit/ }).click();
  await w.page.waitForTimeout(2200);
  await shot(w.page, 'working');
  await w.page.getByRole('button', { name: 'Open the review' }).waitFor();
  await shot(w.page, 'working-done');
  await w.page.getByRole('button', { name: 'Settings' }).click();
  await w.page.getByText('yt-dlp').waitFor();
  await w.page.getByRole('button', { name: 'Off', exact: true, pressed: false }).click();
  await w.page.getByRole('button', { name: 'Off', exact: true, pressed: true }).waitFor();
  await shot(w.page, 'settings');
  await close(w);
});
