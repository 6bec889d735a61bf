// Every screen in a made-up language that is a third longer than English: what is not in the catalogue shows itself,
// and so does what does not fit into the smallest window and at the largest zoom.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { close, open, openReview, shot, useBrowser, type Opened } from './window';

useBrowser();

const settings = { language: 'x-pseudo' };

/** Texts and names on the screen that neither the catalogue nor the data gave. */
async function hardCoded(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said = (window as unknown as { fake: { said: Set<string> } }).fake.said;
    const data = [...said].join('\n').toLowerCase();
    const clean = (s: string) =>
      s
        .replaceAll(/⟦[^⟦⟧]*(?:⟦[^⟦⟧]*⟧[^⟦⟧]*)*⟧/g, ' ')
        .replaceAll(/[\d.,:;·×%…–—“”"'’()/+\-−#…?!§↵←→↑↓⇧⟦⟧]+/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    // Units, months and the names of keys are the same in every language that we speak.
    const same =
      /^(s|ms|min|h|b|kb|mb|gb|tb|x|px|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ctrl|esc|shift|space|veristream|english|deutsch|https|f|pdf|json|csv|srt|vtt|docx|html|xlsx|zip|txt|sha|w|t|of)$/i;
    const words = (s: string) =>
      clean(s)
        .split(' ')
        .filter((w) => /\p{L}{2,}/u.test(w) && !same.test(w));
    const left: string[] = [];
    const look = (text: string | null, where: string) => {
      if (!text?.trim()) return;
      const strange = words(text).filter((w) => !data.includes(w.toLowerCase()));
      if (strange.length) left.push(`${where}: ${text.trim().slice(0, 80)}`);
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walk.nextNode(); n; n = walk.nextNode()) {
      const parent = n.parentElement;
      if (!parent || ['SCRIPT', 'STYLE'].includes(parent.tagName) || parent.closest('.kbd')) continue;
      look(n.textContent, parent.tagName.toLowerCase());
    }
    for (const e of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(e.getAttribute(name), name);
    }
    return [...new Set(left)];
  });
}

/** What is cut, or stands beyond the window's edge. What is meant to be cut (.cut, with its tooltip) is not told. */
async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    const tell = (e: Element, what: string) => {
      const name =
        e.className && typeof e.className === 'string' ? `.${e.className.split(' ').slice(0, 2).join('.')}` : '';
      out.push(`${what} ${e.tagName.toLowerCase()}${name}: ${(e.textContent ?? '').trim().slice(0, 50)}`);
    };
    const scrolls = (e: Element | null, axis: 'X' | 'Y'): boolean => {
      for (let p = e?.parentElement ?? null; p && p !== document.body; p = p.parentElement) {
        const style = getComputedStyle(p);
        if (/(auto|scroll)/.test(axis === 'X' ? style.overflowX : style.overflowY)) return true;
        if (style.position === 'fixed') return false;
      }
      return false;
    };
    if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
    for (const e of document.querySelectorAll<HTMLElement>(
      'button, label, h1, h2, h3, p, dt, dd, legend, summary, th, td, select',
    )) {
      if (!e.offsetParent && getComputedStyle(e).position !== 'fixed') continue;
      const r = e.getBoundingClientRect();
      if (r.width === 0 || e.closest('.cut, .sr, .timeline, video, [hidden]')) continue;
      if (
        e.scrollWidth > e.clientWidth + 1 &&
        e.clientWidth > 0 &&
        getComputedStyle(e).overflowX !== 'visible' &&
        getComputedStyle(e).textOverflow !== 'ellipsis'
      )
        tell(e, 'cut');
      if ((r.right > innerWidth + 1 || r.left < -1) && !scrolls(e, 'X')) tell(e, 'beyond the edge');
      if ((r.bottom > innerHeight + 1 || r.top < -1) && !scrolls(e, 'Y')) tell(e, 'below the edge');
      // a button whose words run out of it
      if (e.tagName === 'BUTTON' && !e.querySelector('.cut')) {
        for (const c of e.querySelectorAll<HTMLElement>('span, b')) {
          const inner = c.getBoundingClientRect();
          if (inner.width && inner.right > r.right + 2 && !c.closest('.cut')) tell(e, 'runs out of');
        }
        const range = document.createRange();
        range.selectNodeContents(e);
        const words = range.getBoundingClientRect();
        if (words.width && words.right > r.right + 2 && getComputedStyle(e).overflow === 'visible')
          tell(e, 'runs out of');
      }
    }
    return [...new Set(out)];
  });
}

type Step = [name: string, go: (page: Page) => Promise<unknown>];

const menu = (page: Page, n: number) => page.locator('.rail button').nth(n).click();
const steps: Step[] = [
  ['library', (p) => p.locator('.entry').first().waitFor()],
  ['queue', (p) => menu(p, 1)],
  ['ask', (p) => menu(p, 2)],
  ['rules', (p) => menu(p, 3)],
  [
    'texts',
    async (p) => {
      await p.locator('.rules header button').nth(1).click();
      await p.locator('dialog label').first().waitFor();
    },
  ],
  [
    'settings',
    async (p) => {
      await p.keyboard.press('Escape');
      await p.locator('.rail button').last().click();
      await p.locator('#ollama').waitFor();
      await p.locator('main li.missing').waitFor();
    },
  ],
  [
    'setup',
    async (p) => {
      await p.locator('#models button').first().click();
      await p.locator('main li.missing').waitFor();
    },
  ],
  ['help', (p) => p.keyboard.press('F1')],
  [
    'new',
    async (p) => {
      await p.keyboard.press('Escape');
      await menu(p, 0);
      await p.locator('.bar-top .btn.primary').click();
      await p.locator('fieldset').first().waitFor();
    },
  ],
  [
    'working',
    async (p) => {
      await p.locator('aside .btn.primary').click();
      await p.locator('.col.b .card').first().waitFor();
    },
  ],
];

async function walk(w: Opened, look: (name: string) => Promise<void>) {
  for (const [name, go] of steps) {
    await go(w.page);
    await w.page.waitForTimeout(250);
    await look(name);
  }
  await close(w);
}

const reviewSteps: Step[] = [
  ['review', (p) => p.locator('.card').first().waitFor()],
  ['review-2', (p) => p.keyboard.press('2')],
  ['review-3', (p) => p.keyboard.press('3')],
  ['review-4', (p) => p.keyboard.press('4')],
  [
    'dismiss',
    async (p) => {
      await p.keyboard.press('1');
      await p.keyboard.press(']');
      await p.keyboard.press('d');
    },
  ],
  [
    'facts',
    async (p) => {
      await p.keyboard.press('Escape');
      await p.keyboard.press('q');
    },
  ],
  [
    'progress',
    async (p) => {
      await p.keyboard.press('Escape');
      await p.locator('.review-progress').click();
    },
  ],
];

async function walkReview(w: Opened, look: (name: string) => Promise<void>) {
  for (const [name, go] of reviewSteps) {
    await go(w.page);
    await w.page.waitForTimeout(250);
    await look(name);
  }
  await close(w);
}

test('no sentence stands outside the catalogue', async () => {
  const found: string[] = [];
  const w = await open({ settings, speed: 2 });
  await walk(w, async (name) => void found.push(...(await hardCoded(w.page)).map((x) => `${name}: ${x}`)));
  const r = await openReview({ settings, proposals: true });
  await walkReview(r, async (name) => void found.push(...(await hardCoded(r.page)).map((x) => `${name}: ${x}`)));
  const s = await open({ settings, rows: 'none', ready: false });
  await s.page.locator('main li.missing').waitFor();
  // The search itself finds what is planted.
  await s.page.evaluate(() => document.querySelector('main h1')?.append(' Planted sentence'));
  expect(await hardCoded(s.page)).toContain('h1: Planted sentence');
  await s.page.evaluate(() => document.querySelector('main h1')?.lastChild?.remove());
  found.push(...(await hardCoded(s.page)).map((x) => `set-up: ${x}`));
  await close(s);
  expect(found).toEqual([]);
});

for (const [label, size, zoom] of [
  ['900', { width: 900, height: 600 }, 100],
  ['200', { width: 1920, height: 1200 }, 200],
] as const) {
  test(`everything fits: ${label}`, async () => {
    const found: string[] = [];
    const w = await open({ settings: { ...settings, zoom }, speed: 2 }, size);
    await walk(w, async (name) => {
      await shot(w.page, `pseudo-${label}-${name}`);
      found.push(...(await overflowing(w.page)).map((x) => `${name}: ${x}`));
    });
    const r = await openReview({ settings: { ...settings, zoom }, proposals: true }, size);
    await walkReview(r, async (name) => {
      await shot(r.page, `pseudo-${label}-${name}`);
      found.push(...(await overflowing(r.page)).map((x) => `${name}: ${x}`));
    });
    expect(found).toEqual([]);
  });
}
