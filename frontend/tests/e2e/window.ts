// Opens the window in Chromium over the fake services.
import AxeBuilder from 'axe-core';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { Options } from '../fake/services';

let browser: Browser;

export function useBrowser() {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--autoplay-policy=no-user-gesture-required',
      ],
    });
  });
  afterAll(() => browser.close());
}

export interface Opened {
  page: Page;
  /** What went wrong in the page: errors and refusals of the content security policy. */
  errors: string[];
}

export async function open(
  options: Partial<Options> & { media?: string } = {},
  size: { width: number; height: number } = { width: 1440, height: 900 },
): Promise<Opened> {
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (e) => errors.push(e.message));
  page.on('console', (m) => {
    if (m.type() === 'error') errors.push(m.text());
  });
  page.on('request', (r) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(r.url())) errors.push(`asked the network: ${r.url()}`);
  });
  const all = { media: inject('media'), frames: inject('frames'), ...options };
  await page.addInitScript(`window.fakeOptions = ${JSON.stringify(all)};\n${inject('fake')}`);
  await page.goto(inject('page'));
  await page.waitForSelector('.shell');
  return { page, errors };
}

export async function openReview(
  options: Partial<Options> = {},
  size?: { width: number; height: number },
  title = 'The boring half',
): Promise<Opened> {
  const opened = await open(options, size);
  await opened.page
    .getByRole('button', { name: new RegExp(title) })
    .first()
    .click();
  await opened.page.waitForSelector('.review');
  if (options.media !== '') {
    await opened.page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  }
  return opened;
}

/** What an assistive technology would stumble over. */
export async function stumbles(page: Page): Promise<string[]> {
  await page.evaluate(AxeBuilder.source);
  return page.evaluate(async () => {
    const axe = (window as unknown as { axe: typeof AxeBuilder }).axe;
    const found = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
    return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(' | ')}`);
  });
}

/** With what the window called a service. */
export const calls = (page: Page, name: string) =>
  page.evaluate((wanted) => {
    const fake = (window as unknown as { fake: { calls: { name: string; args: unknown[] }[] } }).fake;
    return fake.calls.filter((c) => c.name === wanted).map((c) => c.args);
  }, name);

/** Clicks a word of a line of the transcript, where it stands. */
export async function clickWord(page: Page, line: string, word: string) {
  const at = await page.locator('.line', { hasText: line }).evaluate((node, wanted) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      const start = (n.textContent ?? '').search(new RegExp(`\\b${wanted}\\b`));
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(n, start);
      range.setEnd(n, start + wanted.length);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    return null;
  }, word);
  if (!at) throw new Error(`no word ${word} in ${line}`);
  await page.mouse.click(at.x, at.y);
}

export async function shot(page: Page, name: string) {
  const dir = join(inject('out'), 'screens');
  mkdirSync(dir, { recursive: true });
  await page.screenshot({ path: join(dir, `${name}.png`) });
}

export async function close({ page, errors }: Opened) {
  await page.context().close();
  expect(errors).toEqual([]);
}

export const videoTime = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? -1);
