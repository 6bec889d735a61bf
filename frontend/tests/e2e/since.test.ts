import { expect, test } from 'vitest';
import { calls, close, openReview, shot, stumbles, useBrowser } from './window';

useBrowser();

test('what is new, what was there before, what is resolved', async () => {
  const w = await openReview({ since: true });
  const { page } = w;
  const bar = page.getByRole('group', { name: 'Compared with the earlier audit' });
  expect(await bar.innerText()).toMatch(/Since 12 Nov 2026\s+2 new\s+7 carried\s+1 resolved/);
  const cards = () => page.locator('article.card').count();
  expect(await cards()).toBeGreaterThan(2);

  await bar.getByRole('button', { name: '2 new' }).click();
  expect(await cards()).toBe(2);
  expect(await bar.getByRole('button', { name: '2 new' }).getAttribute('aria-pressed')).toBe('true');
  await page
    .getByRole('article', { name: /Promissory claim.*Reworded/ })
    .getByRole('button')
    .first()
    .click();
  const before = page.getByRole('region', { name: 'Earlier audit' });
  expect(await before.innerText()).toContain('eight percent');
  expect(await before.innerText()).toContain('Dismissed by R. Adeyemi on 12 Nov 2026');
  expect(await before.innerText()).toContain('does not hold for changed words');
  await page.waitForTimeout(300);
  await shot(page, 'since-changed');
  expect(await stumbles(page)).toEqual([]);

  // For the same reason, by a person's own decision.
  await before.getByRole('button', { name: 'Dismiss for the same reason' }).click();
  expect((await calls(page, 'ReviewService.Decide')).at(-1)?.[1]).toMatchObject({
    finding_id: 'f1',
    action: 'dismiss',
    reason: 'The words mean something else here',
  });

  await bar.getByRole('button', { name: '1 resolved' }).click();
  const panel = page.getByRole('region', { name: 'Resolved' });
  expect(await panel.innerText()).toContain('“The boring part is that it simply pays.”');
  expect(await panel.innerText()).toContain('Accepted by R. Adeyemi on 12 Nov 2026');
  await shot(page, 'since-resolved');
  expect(await stumbles(page)).toEqual([]);
  // The tabs are still in reach of the keyboard, and lead back.
  await page.getByRole('tab', { name: /Findings/ }).focus();
  expect(await page.getByRole('tab', { name: /Findings/ }).getAttribute('tabindex')).toBe('0');
  await page.keyboard.press('Enter');
  expect(await page.locator('article.card').count()).toBe(2);
  await close(w);
});

test('a dismissal that was carried over is shown and can be opened again', async () => {
  const w = await openReview({ since: true, settings: { theme: 'dark' } });
  const { page } = w;
  const card = page.getByRole('article', { name: /Benefits without risks.*Dismissed, Carried/ });
  await card.getByRole('button').first().click();
  const before = page.getByRole('region', { name: 'Earlier audit' });
  for (const words of ['Carried over: the same words', 'savings → savins', 'Words beside them were changed']) {
    expect(await before.innerText()).toContain(words);
  }
  await page.waitForTimeout(300);
  await shot(page, 'since-carried-dark');
  expect(await stumbles(page)).toEqual([]);
  await page.getByRole('button', { name: 'Reopen' }).click();
  expect((await calls(page, 'ReviewService.Decide')).at(-1)?.[1]).toMatchObject({ finding_id: 'f4', action: 'reopen' });
  expect(await before.innerText()).toContain('You have decided anew here.');
  expect(await before.innerText()).not.toContain('Carried over');

  await page
    .getByRole('article', { name: /Missing disclosure/ })
    .getByRole('button')
    .first()
    .click();
  expect(await before.innerText()).toContain('Not carried over: it is about the whole video');
  await close(w);
});

test('another audit to compare with, in German, in a small window', async () => {
  const w = await openReview({ since: true, settings: { language: 'de' } }, { width: 900, height: 600 });
  const { page } = w;
  const bar = page.getByRole('group', { name: 'Verglichen mit der früheren Prüfung' });
  expect(await bar.innerText()).toMatch(/2 neu\s+7 geblieben\s+1 erledigt/);
  await page.waitForTimeout(300);
  await shot(page, 'since-de-900');
  expect(await stumbles(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Mit einer anderen Prüfung vergleichen' }).click();
  await page.getByRole('menuitemradio').nth(1).click();
  expect((await calls(page, 'ReviewService.Compare')).length).toBe(1);
  await expect.poll(() => bar.innerText()).toMatch(/Seit 1\. Okt\. 2026\s+0 neu\s+9 geblieben/);
  await close(w);
});
