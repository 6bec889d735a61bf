// What the window does with a large library and a long audit, in Chromium without a graphics card: figures, printed.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { close, open, useBrowser } from '../e2e/window';

useBrowser();

const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const say = (line: string) => process.stdout.write(`bench: ${line}\n`);

/** Frames a second while a list scrolls for some seconds, and the longest wait for a frame. */
const scroll = (page: Page, selector: string, seconds: number) =>
  page.evaluate(
    ([sel, ms]) =>
      new Promise<{ fps: number; longest: number; over20: number; frames: number }>((done) => {
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
              over20: gaps.filter((g) => g > 20).length,
              frames: gaps.length,
            });
          }
        };
        requestAnimationFrame(step);
      }),
    [selector, seconds * 1000] as const,
  );

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
  const s = await scroll(w.page, '.plain', 4);
  say(
    `a plain page of 5,000 lines: scrolling ${s.fps.toFixed(1)} frames a second, longest ${s.longest.toFixed(0)} ms; load ${readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 1).join('')} on ${cpus().length} cores`,
  );
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
      const s = await scroll(w.page, '.list', 4);
      say(`library of 2,000: scrolling ${s.fps.toFixed(1)} frames a second, longest ${s.longest.toFixed(0)} ms`);
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
    const s = await scroll(page, selector, 5);
    say(
      `${name}: scrolling ${s.fps.toFixed(1)} frames a second over ${s.frames} frames, ${s.over20} waits over 20 ms, longest ${s.longest.toFixed(0)} ms`,
    );
  }
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const metrics = (await cdp.send('Performance.enable').then(() => cdp.send('Performance.getMetrics'))).metrics;
  const heap = metrics.find((m) => m.name === 'JSHeapUsedSize')?.value ?? 0;
  const nodes = metrics.find((m) => m.name === 'Nodes')?.value ?? 0;
  const main = await page.context().browser()?.newBrowserCDPSession();
  const info = await main?.send('SystemInfo.getProcessInfo');
  const pss = (pid: number) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  const renderers = (info?.processInfo ?? []).filter((p) => p.type === 'renderer').map((p) => pss(p.id));
  say(
    `review of 6 h: JavaScript heap ${(heap / 1e6).toFixed(0)} MB, ${nodes} nodes, renderer ${Math.max(0, ...renderers).toFixed(0)} MB of memory (PSS)`,
  );
  await close(w);
});
