// Takes the pictures of the user guide: the real window over the fake services, in one size and few colours, so that
// the pages stay light.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { inject, test } from 'vitest';
import { close, open, openReview, useBrowser } from '../e2e/window';

useBrowser();

const images = fileURLToPath(new URL('../../../docs/images', import.meta.url));
const size = { width: 1180, height: 740 };

async function take(page: Page, name: string, clip?: { x: number; y: number; width: number; height: number }) {
  mkdirSync(images, { recursive: true });
  await page.waitForTimeout(400);
  const raw = join(inject('out'), `${name}-raw.png`);
  await page.screenshot({ path: raw, ...(clip ? { clip } : {}) });
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-i', raw, '-filter_complex'],
    'scale=iw*0.8:-2:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none',
    ...['-compression_level', '9', '-pred', 'mixed', join(images, `${name}.png`)],
  ]);
  rmSync(raw);
}

test('set-up', async () => {
  const w = await open({ rows: 'none', ready: false }, size);
  await w.page.getByText('pipx install yt-dlp').waitFor();
  await w.page.getByRole('button', { name: /^Download/ }).click();
  await w.page
    .getByText(/a second/)
    .first()
    .waitFor();
  await take(w.page, 'set-up');
  await close(w);
});

test('new audit, in work', async () => {
  const w = await open({ speed: 1 }, size);
  await w.page.getByRole('button', { name: 'Paste a link' }).click();
  await w.page.getByLabel('Address of the video').fill('https://video.example/w/8Hq2');
  await w.page.keyboard.press('Enter');
  await w.page.getByRole('button', { name: /Use this answer/ }).waitFor();
  await take(w.page, 'new-audit');
  await w.page.getByRole('button', { name: /Start audit/ }).click();
  await w.page.waitForTimeout(2200);
  await take(w.page, 'working');
  await close(w);
});

test('review and its progress', async () => {
  const w = await openReview({}, { width: 1440, height: 860 });
  await w.page.getByRole('button', { name: 'Promissory claim' }).first().click();
  await take(w.page, 'review');
  await w.page.getByRole('button', { name: /findings decided/ }).click();
  const box = await w.page.getByRole('dialog').boundingBox();
  if (box) await take(w.page, 'progress', box);
  await close(w);
});

test('ask and rules', async () => {
  const w = await open({}, size);
  const { page } = w;
  await page.keyboard.press('Control+2');
  await page.getByRole('textbox', { name: 'Question' }).fill('May a firm promise a result?');
  await page.keyboard.press('Enter');
  await page
    .getByText(/Confidence:/)
    .first()
    .waitFor();
  await page
    .locator('main button.t, main sup button, main .cite')
    .first()
    .click()
    .catch(() => undefined);
  await take(page, 'ask');
  await page.keyboard.press('Control+3');
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('255.5');
  await page.locator('.hits button').first().click();
  await page.getByRole('searchbox', { name: 'Find a rule' }).press('Escape');
  await take(page, 'rules');
  await page.getByRole('button', { name: 'Get official texts…' }).first().click();
  await page.getByRole('dialog').getByText('Options communications').waitFor();
  const box = await page.getByRole('dialog').boundingBox();
  if (box) await take(page, 'texts', box);
  await close(w);
});

test('models', async () => {
  const w = await open({}, size);
  const { page } = w;
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.locator('#models').waitFor();
  await page.locator('#models').evaluate((e) => e.scrollIntoView());
  await take(page, 'models');
  await close(w);
});
