import { expect, test } from 'vitest';
import { calls, close, open, openReview, shot, stumbles, useBrowser } from './window';

useBrowser();

test('a second person checks a report and approves it', async () => {
  const w = await openReview();
  const { page } = w;
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Check and approve a report…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Check and approve a report' });
  const go = dialog.getByRole('button', { name: 'Approve', exact: true });
  expect(await go.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Choose a report (PDF)…' }).click();
  await dialog.getByText('Nothing was changed, and the signer is known here').waitFor();
  expect(await dialog.innerText()).toMatch(/Prepared by\s+Lena Brandt, Calder Reach\s+self-made identity/);
  expect(await dialog.innerText()).toMatch(/Approved by\s+nobody yet/);
  expect(await dialog.innerText()).toContain('harbour-street.pdf.approval.p7s');
  // Who prepared it cannot approve it.
  expect(await dialog.getByRole('radio', { name: 'The identity of this computer' }).isDisabled()).toBe(true);
  expect(await dialog.getByLabel('Name').inputValue()).toBe('J. Weil');
  await dialog.getByText('What was checked').click();
  expect(await dialog.getByText('Every quoted word stands in the transcript at its time').isVisible()).toBe(true);
  await page.waitForTimeout(300);
  await shot(page, 'approve');
  expect(await stumbles(page)).toEqual([]);

  await dialog.getByLabel('Passphrase').fill('short');
  expect(await go.isDisabled()).toBe(true);
  await dialog.getByLabel('Passphrase').fill('wrong one');
  await go.click();
  expect(await dialog.getByRole('alert').innerText()).toContain('the passphrase is wrong');
  await dialog.getByLabel('Passphrase').fill('long enough');
  await go.click();
  await expect.poll(() => dialog.innerText()).toMatch(/Approved by\s+J\. Weil, Calder Reach/);
  expect((await calls(page, 'ReportService.Approve')).at(-1)?.[1]).toMatchObject({
    with: 'second',
    name: 'J. Weil',
    passphrase: 'long enough',
  });
  expect(await dialog.getByLabel('Passphrase').inputValue()).toBe('');
  await shot(page, 'approve-done');
  await close(w);
});

test('a changed report cannot be approved, in German, from the settings', async () => {
  const w = await open({ tampered: true, settings: { language: 'de', theme: 'dark' } }, { width: 900, height: 640 });
  const { page } = w;
  await page.getByRole('button', { name: 'Optionen' }).click();
  await page.getByRole('button', { name: 'Bericht nachprüfen und freigeben …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bericht nachprüfen und freigeben' });
  await dialog.getByRole('button', { name: 'Bericht wählen (PDF) …' }).click();
  await dialog.getByText('Nach dem Signieren verändert').waitFor();
  expect(await dialog.innerText()).toContain('Die Signatur passt zur Datei: stimmt nicht.');
  expect(await dialog.getByRole('button', { name: 'Freigeben', exact: true }).isDisabled()).toBe(true);
  expect(await dialog.getByRole('radio').count()).toBe(0);
  await page.waitForTimeout(300);
  await shot(page, 'approve-changed-de');
  expect(await stumbles(page)).toEqual([]);
  await close(w);
});
