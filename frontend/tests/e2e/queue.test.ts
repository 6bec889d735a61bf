import { expect, test } from 'vitest';
import { calls, close, open, openReview, shot, stumbles, useBrowser } from './window';

useBrowser();

test('the queue: order, retry, limits, lists, what failed and what is done', async () => {
  for (const [theme, language] of [
    ['light', 'en'],
    ['dark', 'de'],
  ] as const) {
    const w = await open({ queue: true, settings: { theme, language } });
    await w.page.getByText('Halyard quarterly call').waitFor();
    expect(await stumbles(w.page), theme).toEqual([]);
    await shot(w.page, `queue-${theme}-${language}`);
    await close(w);
  }
  const w = await open({ queue: true });
  const { page } = w;
  const titles = () => page.locator('.queue li .title').allTextContents();
  await page.getByText('3 waiting · 3 failed · 2 done').waitFor();
  await page.getByRole('button', { name: 'Move down: Halyard quarterly call' }).click();
  await expect.poll(titles).toEqual(expect.arrayContaining(['Three funds in three minutes']));
  await expect.poll(async () => (await titles())[1]).toBe('Halyard quarterly call');
  await page.getByRole('button', { name: 'More: What is a covered call?' }).click();
  await page.getByRole('menuitem', { name: 'Make it the next one' }).click();
  await expect.poll(async () => (await titles())[0]).toBe('What is a covered call?');
  await page.getByText('The file “broken.mp4” is empty.').waitFor();
  await page.getByRole('button', { name: 'Download all the same' }).click();
  expect(await calls(page, 'BatchService.Retry')).toEqual([['j5', true]]);
  await page.getByRole('button', { name: 'Choose videos…' }).click();
  await page.getByLabel('Part Two').check();
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'queue-list');
  await page.getByRole('button', { name: 'Queue 1' }).click();
  expect(await calls(page, 'BatchService.Replace')).toEqual([['j4', ['https://video.example/w/2']]]);
  await page.getByRole('button', { name: 'More: What is a covered call?' }).click();
  await page.getByRole('menuitem', { name: 'Cancel' }).click();
  await page.getByText('Cancelled').waitFor();
  await page.getByRole('button', { name: 'Clear what has ended' }).click();
  await expect.poll(async () => (await titles()).includes('A quiet week')).toBe(false);
  await close(w);
});

test('many are added at once, and a folder is watched', async () => {
  const w = await open({ rows: 'none' });
  const { page } = w;
  await page.getByRole('button', { name: 'Add many…' }).click();
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await page.getByLabel(/Watch the folders too/).check();
  const field = page.getByLabel('Files, folders and addresses, one a line');
  await field.fill(`${await field.inputValue()}\nhttps://video.example/w/1\n/home/lena/none.mp4`);
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'queue-add');
  await page.getByRole('button', { name: 'Queue', exact: true }).last().click();
  await page.getByText('1 left out').waitFor();
  await page.getByText('1 audit was queued. 1 folder is watched.').waitFor();
  expect(await calls(page, 'BatchService.Watch')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await page.getByText('Watched: /home/lena/Videos/inbox').waitFor();
  await close(w);
});

test('a link over the limits is asked about, and so is a list', async () => {
  const w = await open();
  const { page } = w;
  const go = async (address: string) => {
    await page.getByRole('button', { name: 'Paste a link' }).click();
    await page.getByLabel('Address of the video').fill(address);
    await page.keyboard.press('Enter');
  };
  await go('https://video.example/w/long');
  const over = page.getByLabel(/more than the limit/);
  await over.waitFor();
  expect(await page.getByRole('button', { name: /Start audit/ }).isDisabled()).toBe(true);
  await over.check();
  await shot(page, 'link-over-limit');
  await page.getByRole('button', { name: /Start audit/ }).click();
  const [started] = await calls(page, 'AuditService.Start');
  expect(started?.[0]).toMatchObject({ admit: true });
  await page.getByRole('button', { name: 'Library' }).first().click();
  await go('https://video.example/list/1');
  await page.getByRole('button', { name: /Choose videos/ }).click();
  await page.getByRole('button', { name: 'All', exact: true }).last().click();
  await page.getByRole('button', { name: 'Queue 3' }).click();
  await page.getByText('3 audits were queued.').waitFor();
  await close(w);
});

test('storage: what takes how much, deleting, the bound', async () => {
  const w = await open();
  const { page } = w;
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Storage' }).scrollIntoViewIfNeeded();
  await shot(page, 'storage');
  await page.getByRole('button', { name: 'Delete: Playback copies' }).click();
  await page.getByText(/GB freed/).waitFor();
  await page.getByLabel('Bound of the cache').selectOption({ label: '5 GB' });
  expect(await calls(page, 'StorageService.SetQuota')).toEqual([[5e9]]);
  expect(await stumbles(page)).toEqual([]);
  await close(w);
});

test('a line is corrected beside the words of the machine', async () => {
  const w = await openReview();
  const { page } = w;
  const line = page.locator('.script .line').filter({ hasText: 'Morning everyone' });
  await line.hover();
  await line.getByRole('button', { name: /^Correct:/ }).click();
  await page.getByLabel('The right words').fill('Good morning to all of you.');
  expect(await stumbles(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('1 correction is not audited yet.').waitFor();
  await page.getByText('corrected by L. Brandt').waitFor();
  await shot(page, 'corrected');
  expect((await stumbles(page)).filter((s) => s.includes('.script'))).toEqual([]);
  await page.getByRole('button', { name: 'Audit again' }).click();
  expect(await calls(page, 'AuditService.Start')).toHaveLength(1);
  await close(w);
});

test('a stage that does not move says so, and waiting is as good as cancelling', async () => {
  const w = await open({ rows: 'none', stall: true, speed: 4 });
  const { page } = w;
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await page.getByRole('button', { name: /Start audit/ }).click();
  await page.getByText('Write down speech').waitFor();
  await page.waitForTimeout(1500); // until it stands still
  await page.evaluate(() => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 300_000;
  });
  await page.getByText(/has not moved for/).waitFor();
  await page.getByRole('button', { name: 'Keep waiting' }).click();
  await expect.poll(() => page.getByText(/has not moved for/).count()).toBe(0);
  await close(w);
});
