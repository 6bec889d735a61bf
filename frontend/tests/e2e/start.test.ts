// The set-up page, models, official texts, facts from a page, the two people, the guide.
import { expect, test } from 'vitest';
import { calls, close, open, openReview, shot, stumbles, useBrowser } from './window';

useBrowser();

test('first start: download, pause, go on, leave, come back, ready', async () => {
  const w = await open({ rows: 'none', ready: false });
  const { page } = w;
  await page.getByText('Set up this computer').waitFor();
  await page.getByText('pipx install yt-dlp').waitFor();
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'setup');
  await page.getByText('too large for this memory').waitFor();
  await page.getByRole('radio', { name: /^Small 491 MB/ }).check();
  await page.getByRole('button', { name: 'Download 670 MB' }).click();
  await page
    .getByText(/a second/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Pause: Speech' }).click();
  await page.getByText(/paused/).waitFor();
  await shot(page, 'setup-loading');
  expect(await stumbles(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go on: Speech' }).click();
  await page.getByRole('button', { name: 'Continue in the background' }).click();
  await page.getByText('No audits yet').waitFor();
  await page.getByRole('button', { name: /Set-up \d+%/ }).click();
  await page.getByText('Set up this computer').waitFor();
  expect(await calls(page, 'SetupService.Pull')).toEqual([
    [['whisper-base', 'ppocr-v6-small', 'qwen2.5-coder-0.5b']],
    [['whisper-base']],
  ]);
  await close(w);
  const fast = await open({ rows: 'none', ready: false, speed: 40 });
  await fast.page.getByRole('button', { name: /^Download/ }).click();
  await fast.page.getByText('Everything that an audit needs is here.').waitFor();
  await shot(fast.page, 'setup-ready');
  await fast.page.getByRole('button', { name: 'Try the demo' }).click();
  await fast.page.getByText('Write down speech').waitFor();
  await close(fast);
});

test('whoever has models or audits is not led to the set-up', async () => {
  for (const options of [
    { rows: 'none', ready: true },
    { rows: 'some', ready: false },
  ] as const) {
    const w = await open(options);
    await w.page.waitForTimeout(300);
    expect(await w.page.getByText('Set up this computer').count()).toBe(0);
    await close(w);
  }
});

test('the set-up in dark, in German, small and large', async () => {
  for (const [name, settings, size] of [
    ['setup-dark', { theme: 'dark' }, undefined],
    ['setup-german', { language: 'de' }, { width: 1150, height: 720 }],
    ['setup-900', {}, { width: 900, height: 600 }],
  ] as const) {
    const w = await open({ rows: 'none', ready: false, settings }, size);
    await w.page.getByText('pipx install yt-dlp').waitFor();
    expect(await stumbles(w.page), name).toEqual([]);
    await shot(w.page, name);
    await close(w);
  }
});

test('models: used, imported, removed; Ollama answers', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const w = await open({ settings: { theme } }, { width: 1150, height: 1900 });
    const { page } = w;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.locator('#models').waitFor();
    await page.getByText('llama3.1:8b').waitFor();
    expect(await stumbles(page), theme).toEqual([]);
    await page.getByRole('button', { name: 'Use: qwen2.5-coder-0.5b' }).click();
    await page.getByText('chosen by you').waitFor();
    await page.getByRole('button', { name: 'Leave the choice to VeriStream' }).click();
    await page.getByRole('button', { name: 'Import a file…' }).click();
    await page.getByText('llama-3.1-8b.q4_k_m was imported.').waitFor();
    await page.getByRole('button', { name: 'Remove: llama-3.1-8b.q4_k_m' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('llama-3.1-8b.q4_k_m was removed.').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('qwen2.5-coder-1.5b answered after 2.3 s. 27.6 tokens a second.').waitFor();
    await shot(page, `settings-models-${theme}`);
    expect(await stumbles(page), theme).toEqual([]);
    await page.getByRole('button', { name: 'Use: llama3.1:8b' }).click();
    expect((await calls(page, 'SetupService.Use')).at(-1)).toEqual(['llm', 'ollama:llama3.1:8b']);
    await close(w);
  }
});

test('the ranking: ours, another once it is there, or none', async () => {
  for (const [name, settings] of [
    ['light', { theme: 'light' }],
    ['dark', { theme: 'dark' }],
    ['german', { language: 'de' }],
  ] as const) {
    const w = await open({ settings, speed: 40 }, { width: 1150, height: 2200 });
    const { page } = w;
    await page.getByRole('button', { name: /Settings|Optionen/ }).click();
    const list = page.locator('li', { hasText: /^(None|Keines)/ });
    await list.getByRole('button').click();
    await list.getByText(/chosen by you|von Ihnen gewählt/).waitFor();
    expect(await stumbles(page), name).toEqual([]);
    await shot(page, `settings-ranking-${name}`);
    await page.getByRole('button', { name: /(Download|Laden): ms-marco-minilm-l-6-v2/ }).click();
    await page.getByRole('button', { name: /(Use|Benutzen): ms-marco-minilm-l-6-v2/ }).click();
    await page.getByRole('button', { name: /(Use|Benutzen): regulation-reranker/ }).waitFor();
    expect((await calls(page, 'SetupService.Use')).map((c) => c[1])).toEqual(['none', 'ms-marco-minilm-l-6-v2']);
    await close(w);
  }
});

test('official texts from their publishers, in the rules', async () => {
  const w = await open({ ready: false });
  const { page } = w;
  await page.keyboard.press('Control+3');
  await page.getByRole('button', { name: 'Get official texts…' }).first().click();
  await page.getByRole('dialog').getByText('Options communications').waitFor();
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'texts');
  await page.getByRole('button', { name: 'Fetch 4 texts' }).click();
  await page.getByText('6 sections, 87 paragraphs').first().waitFor();
  await shot(page, 'texts-done');
  expect(await calls(page, 'ImportService.Pull')).toEqual([[['ftc-255', 'sec-206-4-1', 'finra-2210', 'finra-2220']]]);
  await close(w);
});

test('facts: the page fills title and day, and proposes answers that a person takes', async () => {
  const w = await open();
  const { page } = w;
  await page.getByRole('button', { name: 'Paste a link' }).click();
  await page.getByLabel('Address of the video').fill('https://video.example/w/8Hq2');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nine and a half percent, every year' }).waitFor();
  expect(await page.getByLabel('Published').inputValue()).toBe('2026-11-18');
  const paid = page.getByRole('group', { name: 'Is the speaker paid for it?' });
  expect(await paid.getByRole('radio', { name: 'I don’t know' }).isChecked()).toBe(true);
  await paid.getByRole('button', { name: 'Use this answer: Yes' }).click();
  expect(await paid.getByRole('radio', { name: 'Yes' }).isChecked()).toBe(true);
  await paid.getByText('taken over').waitFor();
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'new-audit-link');
  await close(w);
  const silent = await open({ siteless: true });
  await silent.page.getByRole('button', { name: 'Paste a link' }).click();
  await silent.page.getByLabel('Address of the video').fill('https://video.example/w/8Hq2');
  await silent.page.keyboard.press('Enter');
  await silent.page.getByText('The page could not be asked.').waitFor();
  await close(silent);
});

test('facts: what the video says stands beside the question, and its time leads there', async () => {
  const w = await openReview({ proposals: true });
  const { page } = w;
  await page.getByRole('button', { name: 'Look at it…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('My friends over at Calder Reach').waitFor();
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'facts-said');
  await dialog.getByRole('button', { name: 'Use this answer: Yes' }).first().click();
  await dialog.getByRole('button', { name: 'Audit again' }).waitFor();
  await dialog.getByRole('button', { name: '00:04.6' }).click();
  await page.waitForFunction(() => Math.abs((document.querySelector('video')?.currentTime ?? 0) - 4.6) < 0.3);
  await close(w);
});

test('preparer and approver are two people', async () => {
  const w = await openReview();
  const { page } = w;
  await page.getByRole('button', { name: /findings decided/ }).click();
  await page.getByRole('heading', { name: 'Progress of the review' }).waitFor();
  expect(await stumbles(page)).toEqual([]);
  await page.getByRole('button', { name: 'J. Weil, approver' }).click();
  await shot(page, 'progress');
  await page.getByRole('button', { name: 'Next open finding' }).click();
  await page.keyboard.press('a');
  await page.waitForTimeout(100);
  await page.getByRole('button', { name: /findings decided/ }).click();
  await page.getByText('J. Weil: 1 decision').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Approver').fill('l.  BRANDT');
  await page.keyboard.press('Tab');
  await page.getByText('may not be the same person').waitFor();
  expect((await calls(page, 'SettingsService.Set')).map((a) => (a[0] as { approver: string }).approver)).not.toContain(
    'l.  BRANDT',
  );
  expect(await stumbles(page)).toEqual([]);
  await close(w);
});

test('the guide opens from the help, and leads from page to page', async () => {
  const w = await open();
  const { page } = w;
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'User guide' }).click();
  await page.getByRole('heading', { name: 'VeriStream user guide' }).waitFor();
  expect(await stumbles(page)).toEqual([]);
  await shot(page, 'guide');
  for (const name of await page.locator('nav[aria-label="Contents"] button').allTextContents()) {
    await page.locator('nav[aria-label="Contents"]').getByRole('button', { name, exact: true }).click();
    await page.locator('article h2').waitFor();
    // A picture that is still on its way is not a broken one.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('article img')].every((i) => (i as HTMLImageElement).complete),
    );
    const broken = await page.evaluate(
      () => [...document.querySelectorAll('article img')].filter((i) => !(i as HTMLImageElement).naturalWidth).length,
    );
    expect(broken, name).toBe(0);
    expect(await page.locator('article').innerText(), name).not.toMatch(/\]\(|\*\*|!\[/);
  }
  await shot(page, 'guide-page');
  await close(w);
});
