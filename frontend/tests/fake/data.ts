// An invented audit of an invented video, in the shapes of the Go side.
import type {
  Decision,
  EarlierFinding,
  Finding,
  ProposedFact,
  Result,
  RuleRef,
  Segment,
  Since,
  Summary,
} from '../../src/lib/api';

const said: [number, number, string][] = [
  [800, 4200, 'Morning everyone, welcome back to Harbour Street Money.'],
  [4600, 9800, 'My friends over at Calder Reach asked me to show you this one.'],
  [10400, 15200, 'It is called the Halyard Income Note, and I moved my own savings into it.'],
  [15900, 18300, 'Here is the part I like.'],
  [18600, 24100, 'You’re locking in nine and a half percent a year, whatever the market does.'],
  [24500, 27000, 'The floor is sort of built in.'],
  [27600, 31900, 'If you were here last week you know how I feel about surprises.'],
  [32300, 36400, 'There are details, they’re on the screen, pause it if you like.'],
  [37000, 40500, 'Now put it next to the account most of us have.'],
  [41800, 43900, 'thank you for watching'],
  [44600, 47300, 'My bank pays me four point six.'],
  [47900, 52400, 'This pays about twice that, for the same peace of mind.'],
  [53000, 57700, 'And if rates fall, that floor starts to look pretty good.'],
  [58300, 62600, 'I ran the numbers back to the nineties, just to see.'],
  [63200, 69000, 'Keep going like this and you’re at two hundred thousand by fifty.'],
  [69600, 74200, 'I’ll put the spreadsheet in the description, have a play with it.'],
  [74800, 79100, 'So who is this for? Honestly, anybody with a rainy-day fund.'],
  [79700, 83800, 'You don’t need to follow the news, you don’t need an app.'],
  [84300, 88600, 'That’s the boring half. The other half I’ll do next week.'],
];

const speech: Segment[] = said.map(([start, end, text], i) => {
  const parts = text.split(' ');
  const step = (end - start) / parts.length;
  return {
    id: `s${i + 1}`,
    source: 'speech',
    start_ms: start,
    end_ms: end,
    text,
    confidence: i === 9 ? 0.31 : 0.9 - (i % 5) * 0.02,
    ...(i === 9 ? { flag: 'music' } : {}),
    words: parts.map((w, n) => ({
      text: w,
      start_ms: Math.round(start + n * step),
      end_ms: Math.round(start + (n + 1) * step),
      p: 0.9,
    })),
  };
});

const box = (x: number, y: number, w: number, h: number, line: number) => ({ x, y, w, h, line_h: line });
const screen: Segment[] = [
  { id: 'x1', start_ms: 0, end_ms: 7000, text: 'Harbour Street Money', box: box(0.06, 0.82, 0.34, 0.07, 0.05) },
  { id: 'x2', start_ms: 10400, end_ms: 18000, text: 'Halyard Income Note', box: box(0.08, 0.14, 0.4, 0.1, 0.07) },
  { id: 'x3', start_ms: 18600, end_ms: 27300, text: '9.5% a year', box: box(0.08, 0.28, 0.36, 0.16, 0.13) },
  {
    id: 'x4',
    start_ms: 34000,
    end_ms: 35600,
    text: 'Illustrative. Not a promise of future results.\nSee the term sheet.',
    box: box(0.08, 0.86, 0.62, 0.07, 0.024),
  },
  { id: 'x5', start_ms: 44600, end_ms: 52800, text: 'Savings 4.6 / Note 9.5', box: box(0.5, 0.2, 0.4, 0.12, 0.06) },
].map((s) => ({ ...s, source: 'screen' as const, contrast: s.id === 'x4' ? 3.2 : 11 }));

const about: Segment = {
  id: 'd1',
  source: 'description',
  start_ms: 0,
  end_ms: 0,
  text: 'The spreadsheet is in the comments. Some links help the channel.',
};

const rule = (citation: string, title: string, text: string, official = false): RuleRef => ({
  citation,
  title,
  text,
  official,
  sha256: '4be1a7d0c95f1f8a3a4f2c6df7e0bb6c1a90f4cde2873bb1a0c41d5e6f7809c7',
  as_of: '2026-11-03',
  source: citation.startsWith('FINRA') ? 'FINRA rulebook' : 'eCFR',
});

const make = (f: Partial<Finding> & Pick<Finding, 'id' | 'category' | 'citation' | 'rule'>): Finding => ({
  regulator: f.citation.startsWith('FINRA') ? 'FINRA' : f.citation.startsWith('16') ? 'FTC' : 'SEC',
  severity: 'medium',
  status: 'confirmed',
  source: 'speech',
  start_ms: 0,
  end_ms: 0,
  excerpt: '',
  evidence: '',
  rationale: '',
  remedy: '',
  applies: 'The video stands behind a FINRA member, and it is for the public.',
  signals: { lexicon: 0.8, similarity: 0.71, rerank: 0.64, screener: 0.7, judge: 'yes' },
  ...f,
});

const words = (n: number): Pick<Finding, 'segment_id' | 'start_ms' | 'end_ms' | 'excerpt'> => {
  const s = speech[n - 1];
  if (!s) throw new Error(`no sentence ${n}`);
  return { segment_id: s.id, start_ms: s.start_ms, end_ms: s.end_ms, excerpt: s.text };
};

const findings: Finding[] = [
  make({
    id: 'f1',
    category: 'promissory_claim',
    citation: 'FINRA 2210(d)(1)(B)',
    severity: 'high',
    ...words(5),
    rule: rule(
      'FINRA 2210(d)(1)(B)',
      'False, exaggerated or promissory',
      'A firm may not publish a statement that promises a result it cannot stand behind, is untrue, or is blown up.',
    ),
    rationale: 'The words promise a fixed gain in any market, and no condition is said or shown within 30 s.',
    remedy:
      'The note pays 9.5% a year only while all three indexes stay above their barriers. If one does not, you can lose money.',
    evidence: 'Looked for a condition in the 30 s before and after, said or shown.',
    context: [{ segment_id: 'x4', start_ms: 34000, end_ms: 35600, why: 'a caption, 10 s later, for 1.6 s' }],
    related: ['FINRA 2210(d)(1)(D)'],
  }),
  make({
    id: 'f2',
    category: 'undisclosed_paid_tie',
    citation: '16 CFR 255.5(a)',
    severity: 'high',
    status: 'needs_review',
    ...words(2),
    excerpt: 'My friends over at Calder Reach asked me to show you this',
    rule: rule(
      '16 CFR 255.5(a)',
      'Material connections',
      'A tie that viewers would not expect and that could change how they weigh the praise is to be made plain.',
    ),
    rationale: 'The sentence speaks of a tie and does not say whether money changed hands.',
    remedy: 'Say at the start, in speech and on the screen, who pays for the video.',
    applies: 'It depends on whether the speaker is paid. Answer that question to settle it.',
  }),
  make({
    id: 'f3',
    category: 'projected_performance',
    citation: 'FINRA 2210(d)(1)(F)',
    severity: 'high',
    ...words(15),
    rule: rule(
      'FINRA 2210(d)(1)(F)',
      'Predictions and projections',
      'No forecast of results, and no hint that the past will come again.',
      true,
    ),
    rationale: 'A sum of money at a given age is a projection.',
    remedy:
      'Leave the sum out, or show a hypothetical illustration of how compounding works without naming an investment.',
  }),
  make({
    id: 'f4',
    category: 'benefits_without_risks',
    citation: 'FINRA 2210(d)(1)(D)',
    ...words(3),
    excerpt: 'I moved my own savings into it',
    rule: rule('FINRA 2210(d)(1)(D)', 'Balance', 'Benefits and risks are to be given in balance.'),
    rationale: 'Only the gain is spoken of; the loss of capital is never named.',
    remedy: 'Name the chance of loss next to the return.',
  }),
  make({
    id: 'f5',
    category: 'essential_matter_in_legend',
    citation: 'FINRA 2210(d)(1)(C)',
    source: 'screen',
    segment_id: 'x4',
    start_ms: 34000,
    end_ms: 35600,
    excerpt: 'Illustrative. Not a promise of future results.',
    rule: rule(
      'FINRA 2210(d)(1)(C)',
      'Legends and footnotes',
      'What matters may stand in a legend only where the reader still understands it.',
    ),
    rationale: 'The only condition is in small letters for 1.6 s.',
    remedy: 'Say the condition, or show it as large as the return and as long as it takes to read.',
    evidence: 'Letters 2.4% of the frame, contrast 3.2:1, shown 1.6 s; reading takes about 4 s.',
  }),
  make({
    id: 'f6',
    category: 'unfair_comparison',
    citation: 'FINRA 2210(d)(2)',
    ...words(12),
    rule: rule('FINRA 2210(d)(2)', 'Comparisons', 'A comparison names the differences that matter.'),
    rationale: 'An insured account is put beside a note that can lose money.',
    remedy: 'Name insurance, liquidity and risk of both.',
  }),
  make({
    id: 'f7',
    category: 'missing_disclosure',
    citation: '16 CFR 255.5(b)',
    severity: 'low',
    status: 'needs_review',
    start_ms: 0,
    end_ms: 88600,
    rule: rule('16 CFR 255.5(b)', 'Form of a disclosure', 'A tie is to be made plain where the praise stands.'),
    evidence: 'No disclosure of a paid tie was found: 19 sentences, 5 screen texts and the description were read.',
    rationale: 'The description speaks of links that help the channel; nothing is said in the video itself.',
    remedy: 'Open with a spoken and shown disclosure.',
    applies: 'It depends on whether the speaker is paid.',
  }),
  make({
    id: 'f8',
    category: 'back_tested_return',
    citation: '17 CFR 275.206(4)-1(d)(6)(i)',
    severity: 'medium',
    ...words(14),
    rule: rule(
      '17 CFR 275.206(4)-1(d)(6)(i)',
      'Hypothetical performance',
      'Hypothetical results need policies that fit them to their readers.',
    ),
    rationale: 'Numbers were run back over the past.',
    remedy: 'Leave it out, or show it only to those whom the policies allow.',
  }),
  make({
    id: 'f9',
    category: 'wrong_audience',
    citation: 'FINRA 2210(d)(1)(E)',
    severity: 'low',
    ...words(17),
    excerpt: 'anybody with a rainy-day fund',
    rule: rule('FINRA 2210(d)(1)(E)', 'Audience', 'The level of detail is to fit those who watch.'),
    rationale: 'An emergency fund is not what a note without liquidity is for.',
    remedy: 'Say for whom it is not suitable.',
  }),
];

export const result: Result = {
  schema: 1,
  id: 'a1',
  video: {
    path: '/home/lena/Videos/harbour-street-ep31.mp4',
    sha256: '8c1e07f1c0a7d2b95f61f0d7b1f3f2c84a7b9a4a1f1e7a55c9e3d1b2a3c442fa',
    duration_ms: 90000,
    title: 'The boring half: why I moved to the Halyard note',
    source_url: '',
    width: 1280,
    height: 720,
    has_video: true,
    has_audio: true,
    language: 'en',
  },
  facts: { speaker: 'paid_endorser', paid: 'unknown', sponsor: 'finra_member', audience: 'retail', options: 'no' },
  as_of: '2026-11-24',
  segments: [about, ...speech, ...screen],
  findings,
  not_applicable: [
    { regulator: 'FINRA', citation: 'FINRA 2220', reason: 'The video does not speak of options, and you answered no.' },
    ...['(a)(1)', '(a)(2)', '(b)(1)', '(c)', '(d)(1)'].map((p) => ({
      regulator: 'SEC',
      citation: `17 CFR 275.206(4)-1${p}`,
      reason: 'Binds registered advisers. The video was made for a broker-dealer.',
    })),
    { regulator: 'FTC', citation: '16 CFR 255.4', reason: 'No organisation or rating is named.' },
  ],
  checked: [
    { category: 'misuse_of_finra_name', result: 'clear', note: '0 of 25 lines' },
    { category: 'claimed_approval', result: 'clear', note: '0 of 25 lines' },
    { category: 'predecessor_performance', result: 'clear', note: '1 looked at' },
    { category: 'promissory_claim', result: 'finding' },
    { category: 'options_communications', result: 'not_applicable' },
    { category: 'fees_of_funds', result: 'not_checked', note: 'No rule text is installed for this category.' },
  ],
  dropped: [
    {
      reason: 'Words not in the transcript',
      excerpt: 'the details don’t matter',
      citation: 'FINRA 2210(d)(1)(A)',
      category: 'misleading_claim',
      start_ms: 32300,
    },
    { reason: 'Paragraph not retrieved', excerpt: '', citation: 'FINRA 2210(f)(3)', start_ms: 69600 },
  ],
  run: {
    version: 'dev',
    started_at: '2026-11-24T09:00:00Z',
    models: {},
    rules_version: '2026-11-03',
    stages: [],
    llm: { calls: 31, prompt_tokens: 40000, output_tokens: 2500 },
    peak_rss_mb: 1400,
  },
};

export const decisions: Decision[] = [
  { finding_id: 'f3', action: 'accept', by: 'L. Brandt', at: '2026-11-24T10:00:00Z' },
  {
    finding_id: 'f6',
    action: 'dismiss',
    reason: 'Both rates are shown side by side',
    by: 'L. Brandt',
    at: '2026-11-24T10:02:00Z',
  },
];

export const earlierOf = (f: Finding, more: Partial<EarlierFinding> = {}): EarlierFinding => ({
  finding_id: `e${f.id}`,
  category: f.category,
  citation: f.citation,
  severity: f.severity,
  source: f.source,
  start_ms: f.start_ms,
  end_ms: f.end_ms,
  excerpt: f.excerpt,
  stand: 'open',
  ...more,
});

const before = (id: string, more: Partial<EarlierFinding> = {}): EarlierFinding => {
  const f = findings.find((x) => x.id === id);
  if (!f) throw new Error(`no finding ${id}`);
  return earlierOf(f, more);
};
const dismissedBefore = {
  stand: 'dismissed',
  reason: 'The words mean something else here',
  by: 'R. Adeyemi',
  at: '2026-11-12T10:00:00Z',
};

/** The same video, audited twelve days before. */
export const since: Since = {
  audit_id: '20261112-090000-qwertyui',
  at: '2026-11-12T09:00:00Z',
  found: 'path',
  new: [
    { finding_id: 'f9' },
    {
      finding_id: 'f1',
      was: before('f1', {
        excerpt: 'You’re locking in eight percent a year, as long as rates hold.',
        ...dismissedBefore,
      }),
    },
  ],
  carried: [
    { finding_id: 'f2', was: [before('f2')], taken: false },
    { finding_id: 'f3', was: [before('f3')], taken: false },
    {
      finding_id: 'f4',
      was: [before('f4', dismissedBefore)],
      taken: true,
      near: true,
      heard: [{ was: 'savings', now: 'savins' }],
    },
    { finding_id: 'f5', was: [before('f5')], taken: false },
    { finding_id: 'f6', was: [before('f6')], taken: false },
    {
      finding_id: 'f7',
      was: [before('f7', { ...dismissedBefore, excerpt: '', evidence: 'No disclosure was found.' })],
      taken: false,
      why: 'video',
    },
    { finding_id: 'f8', was: [before('f8')], taken: false },
  ],
  resolved: [
    earlierOf(findings[5] as Finding, {
      finding_id: 'e20',
      category: 'unclear_statement',
      citation: 'FINRA 2210(d)(1)(C)',
      severity: 'high',
      start_ms: 51200,
      excerpt: 'The boring part is that it simply pays.',
      ...dismissedBefore,
      stand: 'accepted',
      reason: '',
    }),
  ],
  words_new: 14,
  words_gone: 22,
};

export const carriedDecisions: Decision[] = [
  {
    finding_id: 'f4',
    action: 'dismiss',
    reason: dismissedBefore.reason,
    by: dismissedBefore.by,
    at: dismissedBefore.at,
    carried: {
      audit_id: since.audit_id,
      finding_id: 'ef4',
      excerpt: 'I moved my own savings into it',
      from: since.audit_id,
    },
  },
];

const row = (id: string, title: string, file: string, ms: number, added: string, more: Partial<Summary>): Summary => ({
  id,
  title,
  path: `/home/lena/Videos/${file}`,
  duration_ms: ms,
  has_video: true,
  added: `${added}T09:00:00Z`,
  high: 0,
  medium: 0,
  low: 0,
  findings: (more.high ?? 0) + (more.medium ?? 0) + (more.low ?? 0),
  decided: 0,
  signed: false,
  facts: result.facts,
  missing: false,
  ...more,
});

export const rows: Summary[] = [
  row('a1', result.video.title, 'harbour-street-ep31.mp4', 90000, '2026-11-24', {
    high: 3,
    medium: 4,
    low: 2,
    decided: 2,
    reviewer: 'L. Brandt',
  }),
  row('a2', 'Two advisers, one spreadsheet: what the back-test hides', 'podcast-s2e08.mp4', 2931000, '2026-11-21', {
    high: 2,
    medium: 11,
    low: 6,
  }),
  row('a3', 'She made her fees back in a month', 'short-114.mp4', 43000, '2026-11-20', {
    high: 2,
    medium: 1,
    decided: 3,
    reviewer: 'R. Adeyemi',
  }),
  row('a4', 'Covered calls for people who hate options', 'cc-webinar-recording.mkv', 3667000, '2026-11-17', {
    high: 4,
    medium: 7,
    low: 3,
    decided: 6,
    reviewer: 'L. Brandt',
    missing: true,
  }),
  row('a0', 'Bond ladders in ten minutes', 'bonds.mp4', 638000, '2026-11-14', {
    failed: 'The disk is full: taking out the sound needs more space.',
  }),
  row('a5', 'How our fees work', 'fees-explainer.mp4', 178000, '2026-11-12', { reviewer: 'R. Adeyemi', signed: true }),
  row('a6', 'Ask me anything: rates, cash and patience', 'ama-november.srt', 1996000, '2026-11-10', {
    medium: 3,
    low: 5,
    decided: 6,
    reviewer: 'L. Brandt',
    has_video: false,
  }),
  row('a7', 'Retirement without guessing, part 3', 'rwg-part3-export.mp4', 860000, '2026-11-08', {
    medium: 2,
    low: 1,
    decided: 3,
    reviewer: 'R. Adeyemi',
    signed: true,
  }),
];

/** A video of many hours with many findings: what a window must still scroll through smoothly. */
export function huge(): Result {
  const segments: Segment[] = [];
  const many: Finding[] = [];
  for (let i = 0; i < 7200; i++) {
    const base = speech[i % speech.length] as Segment;
    const shift = i * 3000;
    const length = base.end_ms - base.start_ms;
    const seg: Segment = {
      ...base,
      id: `h${i}`,
      start_ms: shift,
      end_ms: shift + Math.min(2900, length),
      words: (base.words ?? []).map((w) => ({
        ...w,
        start_ms: shift + Math.round(((w.start_ms - base.start_ms) / length) * 2900),
        end_ms: shift + Math.round(((w.end_ms - base.start_ms) / length) * 2900),
      })),
    };
    segments.push(seg);
    if (i % 14 === 4) {
      const f = findings[many.length % 6] as Finding;
      many.push({
        ...f,
        id: `hf${i}`,
        source: 'speech',
        segment_id: seg.id,
        start_ms: seg.start_ms,
        end_ms: seg.end_ms,
        excerpt: seg.text,
      });
    }
  }
  return {
    ...result,
    id: 'huge',
    video: { ...result.video, duration_ms: 7200 * 3000, title: 'Six hours of the annual meeting' },
    segments,
    findings: many.slice(0, 500),
  };
}

/** What the video itself says of the facts. */
export const proposed: ProposedFact[] = [
  { fact: 'paid', value: 'yes', segment_id: 's2', start_ms: 4_600, excerpt: 'My friends over at Calder Reach' },
  { fact: 'options', value: 'yes', segment_id: 's7', start_ms: 63_200, excerpt: 'covered calls' },
];
