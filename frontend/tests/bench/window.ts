// What the window does with a large library and a long audit, in Chromium without a graphics card: figures, printed.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { CDPSession, Page } from 'playwright-core';
import { test } from 'vitest';
import { close, open, useBrowser } from '../e2e/window';

useBrowser();

const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const say = (line: string) => process.stdout.write(`bench: ${line}\n`);

interface Scrolled {
  fps: number;
  longest: number;
  frames: number;
}

/** Scrolls a list by 60 pixels a frame for some seconds. */
const frames = (page: Page, selector: string, seconds: number) =>
  page.evaluate(
    ([sel, ms]) =>
      new Promise<Scrolled>((done) => {
        const list = document.querySelector(sel as string) as HTMLElement;
        const gaps: number[] = [];
        let last = performance.now();
        const begun = last;
        const step = (now: number) => {
          gaps.push(now - last);
          last = now;
          list.scrollTop += 60;
          if (now - begun < (ms as number)) requestAnimationFrame(step);
          else {
            done({
              fps: (gaps.length * 1000) / (now - begun),
              longest: Math.max(...gaps.slice(1)),
              frames: gaps.length,
            });
          }
        };
        requestAnimationFrame(step);
      }),
    [selector, seconds * 1000] as const,
  );

const sessions = new WeakMap<Page, CDPSession>();

/** Processor time so far, in ms: of the page's main thread by its kinds of work, and of each kind of process. */
async function used(page: Page): Promise<Record<string, number>> {
  // What a session counts begins with it: one session for a page.
  const cdp = sessions.get(page) ?? (await page.context().newCDPSession(page));
  if (!sessions.has(page)) await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  sessions.set(page, cdp);
  const { metrics } = await cdp.send('Performance.getMetrics');
  const out: Record<string, number> = {};
  for (const [name, of] of [
    ['main thread', 'TaskDuration'],
    ['scripts', 'ScriptDuration'],
    ['styles', 'RecalcStyleDuration'],
    ['layout', 'LayoutDuration'],
  ] as const) {
    out[name] = 1000 * (metrics.find((m) => m.name === of)?.value ?? 0);
  }
  for (const p of await processes(page)) out[p.type] = (out[p.type] ?? 0) + 1000 * p.cpuTime;
  return out;
}

async function processes(page: Page) {
  const main = await page.context().browser()?.newBrowserCDPSession();
  const info = await main?.send('SystemInfo.getProcessInfo');
  return info?.processInfo ?? [];
}

/**
 * Tells how a list scrolls: frames a second as this computer gave them just now, and the processor time that a frame
 * cost, which does not depend on what else runs.
 */
async function scroll(page: Page, name: string, selector: string, seconds: number) {
  const before = await used(page);
  const s = await frames(page, selector, seconds);
  const after = await used(page);
  const cost = Object.keys(after).map(
    (k) => `${k} ${(((after[k] ?? 0) - (before[k] ?? 0)) / Math.max(1, s.frames)).toFixed(1)}`,
  );
  say(
    `${name}: ${s.fps.toFixed(1)} frames a second, longest ${s.longest.toFixed(0)} ms, load ${load()}; ms of processor a frame: ${cost.join(', ')}`,
  );
}

const load = () => readFileSync('/proc/loadavg', 'utf8').split(' ')[0];

/** Memory of every process of the browser: each page counts with the part of shared memory that is its own (PSS). */
async function memory(page: Page, name: string) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (metric: string) => metrics.find((m) => m.name === metric)?.value ?? 0;
  const pss = (pid: number) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0; // it has ended
    }
  };
  const parts = (await processes(page)).map((p) => ({ type: p.type, mb: pss(p.id) }));
  say(
    `${name}: JavaScript ${(of('JSHeapUsedSize') / 1e6).toFixed(0)} MB, ${of('Nodes')} nodes, ${of('JSEventListeners')} listeners; ` +
      `memory ${parts.reduce((sum, p) => sum + p.mb, 0).toFixed(0)} MB: ${parts.map((p) => `${p.type} ${p.mb.toFixed(0)}`).join(', ')}`,
  );
}

// What this computer gives at this moment to a page that does nothing else: the figures below are to be read beside it.
test('a plain page', async () => {
  const w = await open({ rows: 'none' });
  await w.page.evaluate(() => {
    const list = document.createElement('div');
    list.className = 'plain';
    list.style.cssText = 'position:fixed;inset:0;overflow:auto;background:white;z-index:99';
    list.innerHTML = Array.from({ length: 5000 }, (_, i) => `<p>Line ${i} of a plain page</p>`).join('');
    document.body.append(list);
  });
  await scroll(w.page, `a plain page of 5,000 lines (${cpus().length} cores)`, '.plain', 4);
  await w.page.goto('about:blank');
  await memory(w.page, 'an empty page');
  await close(w);
});

test('a library of 2,000 audits', async () => {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const w = await open({ rows: 'many' });
    await w.page.locator('.entry').first().waitFor();
    times.push(
      await w.page.evaluate(
        () =>
          new Promise<number>((done) => {
            const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
            const look = () => {
              if (document.querySelector('.entry')) done(Math.max(paint, performance.now()));
              else requestAnimationFrame(look);
            };
            look();
          }),
      ),
    );
    if (i === 4) {
      await scroll(w.page, 'library of 2,000', '.list', 4);
      await memory(w.page, 'library of 2,000');
    }
    await close(w);
  }
  say(`library of 2,000: rows on the screen after ${median(times).toFixed(0)} ms (median of 5, from navigation)`);
});

test('six hours and 500 findings', async () => {
  const w = await open({ rows: 'many' });
  const { page } = w;
  await page.evaluate(() => {
    const services = (window as unknown as { go: { app: { ReviewService: { Open: (id: string) => unknown } } } }).go
      .app;
    const before = services.ReviewService.Open;
    services.ReviewService.Open = () => before('huge');
  });
  await page.locator('.entry').first().waitFor();
  await page.evaluate(() => performance.mark('open'));
  await page.locator('.entry').first().click();
  await page.getByText('0 of 500 decided').waitFor();
  say(
    `review of 6 h, 500 findings: open after ${(await page.evaluate(() => performance.now() - (performance.getEntriesByName('open')[0]?.startTime ?? 0))).toFixed(0)} ms`,
  );
  await page.waitForTimeout(1500);
  for (const [name, selector] of [
    ['transcript', '.script .list'],
    ['findings', '.findings .cards'],
  ] as const) {
    await scroll(page, name, selector, 5);
  }
  await memory(page, 'review of 6 h');
  await close(w);
});
