import { expect, test } from 'vitest';
import { close, open, openReview, shot, stumbles, useBrowser } from './window';

useBrowser();

test('from nothing to a review', async () => {
  const w = await open({ rows: 'none', speed: 4 });
  const { page } = w;
  await page.getByText('No audits yet').waitFor();
  expect(await stumbles(page)).toEqual([]);
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await page.getByText('Five facts decide').waitFor();
  await page.getByRole('group', { name: 'Who speaks?' }).getByText('Paid endorser').click();
  expect(await stumbles(page)).toEqual([]);
  await page.getByRole('button', { name: /Start audit/ }).click();
  await page.getByText('Write down speech').waitFor();
  await page.getByText('Morning everyone').waitFor();
  await page.getByText('not yet verified').first().waitFor();
  expect(await stumbles(page)).toEqual([]);
  await page.getByRole('button', { name: /Open the review/ }).click();
  await page.waitForSelector('.review');
  await close(w);
});

test('nobody stumbles in a review', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const w = await openReview({ settings: { theme } });
    expect(await stumbles(w.page), theme).toEqual([]);
    await w.page.keyboard.press('d');
    expect(await stumbles(w.page), `${theme}, dismiss`).toEqual([]);
    await w.page.keyboard.press('Escape');
    await w.page.keyboard.press('3');
    expect(await stumbles(w.page), `${theme}, clear`).toEqual([]);
    await w.page.keyboard.press('?');
    expect(await stumbles(w.page), `${theme}, help`).toEqual([]);
    await close(w);
  }
});

test('nobody stumbles in the library and the settings', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const w = await open({ settings: { theme } });
    await w.page.getByText('The boring half').first().waitFor();
    expect(await stumbles(w.page), theme).toEqual([]);
    await w.page.getByRole('button', { name: 'Settings' }).click();
    await w.page.getByText('yt-dlp').waitFor();
    expect(await stumbles(w.page), theme).toEqual([]);
    await close(w);
  }
});

test('search, filter, order, delete and undo in the library', async () => {
  const w = await open();
  const { page } = w;
  await page.keyboard.press('/');
  await page.keyboard.type('fees');
  expect(await page.locator('.entry').count()).toBe(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Decided/ }).click();
  expect(await page.locator('.entry').count()).toBe(3);
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByRole('button', { name: /More: She made/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('was deleted').waitFor();
  expect(await page.locator('.entry').count()).toBe(7);
  await page.getByRole('button', { name: /Undo/ }).click();
  await page.getByText('She made her fees').waitFor();
  await close(w);
});

test('a link, a file that is none, a dropped file', async () => {
  const w = await open();
  const { page } = w;
  await page.getByRole('button', { name: 'Paste a link' }).click();
  await page.getByLabel('Address of the video').fill('ftp://nope');
  await page.keyboard.press('Enter');
  await page.getByText('An address begins with').waitFor();
  await page.getByLabel('Address of the video').fill('https://video.example/w/8Hq2');
  await page.keyboard.press('Enter');
  await page.getByText('Five facts decide').waitFor();
  await page.evaluate(() => {
    (window as unknown as { fake: { emit: (n: string, d: unknown) => void } }).fake.emit('open', {
      paths: ['/tmp/broken.mp4'],
    });
  });
  await page.getByText('This file cannot be audited').waitFor();
  await shot(page, 'new-audit-broken');
  await page.getByText('This file is not a video').waitFor();
  await close(w);
});

test('cancel settles, and the audit can be started again', async () => {
  const w = await open({ speed: 2 });
  const { page } = w;
  await page.getByRole('button', { name: 'New audit' }).click();
  await page.getByRole('button', { name: /Start audit/ }).click();
  await page.getByText('Morning everyone').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await shot(page, 'working-cancelled');
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByText('Morning everyone').waitFor();
  await close(w);
});

test('a store that cannot be read says so', async () => {
  const w = await open({ broken: true });
  await w.page.getByText('from a newer version').first().waitFor();
  await shot(w.page, 'library-broken');
  await close(w);
});

test('German everywhere, and at 200%', async () => {
  const w = await openReview({ settings: { language: 'de' } });
  await w.page.getByText('Mitschrift').first().waitFor();
  await w.page.waitForTimeout(400);
  await shot(w.page, 'review-german');
  await close(w);
  const big = await openReview({ settings: { zoom: 200 } }, { width: 1920, height: 1200 });
  await big.page.waitForTimeout(400);
  await shot(big.page, 'review-200');
  await close(big);
  const set = await open({ settings: { language: 'de' } });
  await set.page.waitForTimeout(400);
  await shot(set.page, 'library-german');
  await close(set);
});

test('a German review: what an audit says is German, and what is not says which language it is', async () => {
  const w = await openReview({ settings: { language: 'de' } });
  const { page } = w;
  const card = page.getByRole('article', { name: /Vorhersage der Wertentwicklung/ });
  await card.getByRole('button', { name: 'Vorhersage der Wertentwicklung' }).click();
  const original = card.getByText('A sum of money at a given age is a projection.', { exact: true });
  expect(await original.getAttribute('lang')).toBe('en');
  await card.getByText('Lassen Sie die Summe weg').waitFor();
  // Whatever stands in the open card and in the lists without a language of its own has none of the English sentences.
  const own = (selector: string) =>
    page.locator(selector).evaluateAll((nodes) =>
      nodes
        .map((n) => {
          const copy = n.cloneNode(true) as HTMLElement;
          copy.querySelectorAll('[lang]').forEach((x) => {
            x.remove();
          });
          return copy.textContent;
        })
        .join(' '),
    );
  const english = /\b(the|is|of|and|that|for)\b/;
  expect(await own('article.card.open')).not.toMatch(english);
  for (const [key, name] of [
    ['2', 'not-applicable'],
    ['3', 'clear'],
    ['4', 'dropped'],
  ] as const) {
    await page.keyboard.press(key);
    await page.waitForTimeout(200);
    expect(await own('[role=tabpanel]')).not.toMatch(english);
    await shot(page, `review-german-${name}`);
  }
  await close(w);
});

test('six hours and five hundred findings stay light', async () => {
  const w = await open({ rows: 'many' });
  const { page } = w;
  expect(await page.locator('.entry').count()).toBeLessThan(60);
  await page.evaluate(() => {
    const services = (window as unknown as { go: { app: { ReviewService: { Open: (id: string) => unknown } } } }).go
      .app;
    const before = services.ReviewService.Open;
    services.ReviewService.Open = () => before('huge');
  });
  await page.locator('.entry').first().click();
  await page.waitForSelector('.review');
  await page.getByText('0 of 500 decided').waitFor();
  expect(await page.locator('.line').count()).toBeLessThan(80);
  expect(await page.locator('.card').count()).toBeLessThan(60);
  // Playing on, the transcript follows to the end.
  await page.evaluate(() => document.querySelector('.whole')?.scrollIntoView());
  const box = await page.locator('.whole').boundingBox();
  if (box) await page.mouse.click(box.x + box.width * 0.9, box.y + 5);
  await page.waitForTimeout(500);
  await page.locator('.line.now').waitFor();
  await shot(page, 'review-huge');
  await close(w);
});
