// Invented rules, a document, and answers about them.
import type {
  Answer,
  AskMode,
  AskRequest,
  PastQuestion,
  Card,
  CardHead,
  FoundPassage,
  DocumentPages,
  RuleHit,
  RuleNode,
  RulePage,
  RuleParagraph,
  RuleSet,
  RuleSetAbout,
  Scope,
  Sentence,
  Text,
} from '../../src/lib/api';

const hash = (c: string) => c.repeat(64).slice(0, 64);

export const version = (id: string, part: string, regulator: string, title: string, as_of: string): Text => ({
  id: `${id}@${as_of}`,
  regulator,
  part,
  title,
  as_of,
  sha256: hash('4be1a7d0c9'),
  origin: `${id}-${as_of}.xml`,
  format: 'eCFR XML',
});

const ftc = version('ftc-255', '16 CFR 255', 'FTC', 'Endorsements in advertising', '2026-08-01');
const older = version('ftc-255', '16 CFR 255', 'FTC', 'Endorsements in advertising', '2023-07-26');
const finra = version('finra-2210', 'FINRA 2210', 'FINRA', 'Communications with the public', '2026-04-01');
const regz = version('reg-z', '12 CFR 1026', 'CFPB', 'Truth in Lending (Regulation Z)', '2026-08-06');

export const sets: RuleSet[] = [
  { id: '12 CFR 1026', regulator: 'CFPB', title: regz.title, house: false, text: regz, versions: [regz], paragraphs: 8214, cards: 0, unchecked: 0 },
  { id: '16 CFR 255', regulator: 'FTC', title: ftc.title, house: false, text: ftc, versions: [ftc, older], paragraphs: 148, cards: 115, unchecked: 0 },
  { id: '17 CFR 275.206(4)-1', regulator: 'SEC', title: 'Investment adviser marketing', house: false, versions: [], paragraphs: 0, cards: 113, unchecked: 0 },
  { id: 'FINRA 2210', regulator: 'FINRA', title: finra.title, house: false, text: finra, versions: [finra], paragraphs: 165, cards: 164, unchecked: 0 },
  { id: 'FINRA 2220', regulator: 'FINRA', title: 'Options communications', house: false, versions: [], paragraphs: 0, cards: 54, unchecked: 54 },
  { id: 'Calder Reach 3', regulator: 'Calder Reach', title: 'Social media policy', house: true, versions: [], paragraphs: 0, cards: 2, unchecked: 0 },
]; // prettier-ignore

const node = (
  citation: string,
  parent: string,
  mark: string,
  label: string,
  more: Partial<RuleNode> = {},
): RuleNode => ({
  citation,
  parent,
  mark,
  label,
  kind: 'rule',
  text: true,
  card: true,
  without: '',
  ...more,
});

const heading = { card: false, without: 'Only a heading; its paragraphs have cards.' };

export const outlines: Record<string, RuleNode[]> = {
  'FINRA 2210': [
    node('FINRA 2210(a)', '', '(a)', 'Words and kinds'),
    node('FINRA 2210(d)', '', '(d)', 'Content', heading),
    node('FINRA 2210(d)(1)', 'FINRA 2210(d)', '(1)', 'In general', heading),
    node('FINRA 2210(d)(1)(A)', 'FINRA 2210(d)(1)', '(A)', 'Fair and balanced'),
    node('FINRA 2210(d)(1)(B)', 'FINRA 2210(d)(1)', '(B)', 'No promises'),
    node('FINRA 2210(d)(1)(D)', 'FINRA 2210(d)(1)', '(D)', 'Risk beside gain'),
    node('FINRA 2210(d)(2)', 'FINRA 2210(d)', '(2)', 'Comparisons'),
  ],
  '16 CFR 255': [
    node('16 CFR 255.5', '', '255.5', 'Ties that viewers would not expect', heading),
    node('16 CFR 255.5(a)', '16 CFR 255.5', '(a)', 'Tell a tie clearly'),
    node('16 CFR 255.5(b)', '16 CFR 255.5', '(b)', 'Examples', { ...heading, kind: 'example' }),
  ],
  '17 CFR 275.206(4)-1': [node('17 CFR 275.206(4)-1(a)', '', '(a)', 'Seven bans', { text: false })],
  'FINRA 2220': [node('FINRA 2220(d)(1)', '', '(d)(1)', 'Options need their risks', { text: false })],
  'Calder Reach 3': [
    node('Calder Reach 3.1', '', '3.1', 'No single coins', { text: false }),
    node('Calder Reach 3.2', '', '3.2', 'Name the firm', { text: false }),
  ],
  '12 CFR 1026': Array.from({ length: 60 }, (_, s) => [
    node(`12 CFR 1026.${s + 1}`, '', `1026.${s + 1}`, `Section number ${s + 1}`, { card: false }),
    ...Array.from({ length: 80 }, (_, p) =>
      node(`12 CFR 1026.${s + 1}(${p + 1})`, `12 CFR 1026.${s + 1}`, `(${p + 1})`, 'A creditor tells it in writing', { card: false }),
    ),
  ]).flat(),
}; // prettier-ignore

const words: Record<string, string> = {
  'FINRA 2210(a)':
    '(a) In this invented rule, a message to the public is anything that more than a few people can see.',
  'FINRA 2210(d)': '(d) Content',
  'FINRA 2210(d)(1)': '(1) For everything that a firm tells the public:',
  'FINRA 2210(d)(1)(A)': '(A) What it publishes is fair and balanced, and gives a sound basis for judging the product.',
  'FINRA 2210(d)(1)(B)':
    '(B) It may not publish a statement that promises a result it cannot stand behind, is untrue, or is blown up.',
  'FINRA 2210(d)(1)(D)': '(D) Gains and risks stand in the same place, with like weight.',
  'FINRA 2210(d)(2)': '(2) A comparison names what differs between the two.',
  '16 CFR 255.5': '',
  '16 CFR 255.5(a)': '(a) A tie that viewers would not expect is told clearly, where they cannot miss it.',
  '16 CFR 255.5(b)': '(b) Examples.',
};

const head = (id: string, part: string, regulator: string, title: string, more: Partial<CardHead> = {}): CardHead => ({
  id,
  regulator,
  part,
  title,
  in_force_from: '2023-07-26',
  nature: 'binding',
  note: '',
  house: false,
  without: [],
  ...more,
});

const heads: Record<string, CardHead> = {
  'FINRA 2210': head('finra-2210', 'FINRA 2210', 'FINRA', finra.title, {
    in_force_from: '2013-02-04',
    without: [
      { citation: 'FINRA 2210(d)', reason: 'Only a heading; its paragraphs have cards.' },
      { citation: 'FINRA 2210(d)(1)', reason: 'Only a heading; its paragraphs have cards.' },
    ],
  }),
  '16 CFR 255': head('ftc-255', '16 CFR 255', 'FTC', ftc.title, {
    nature: 'interpretive',
    note: 'The guides are a reading of the law and not the law itself.',
    without: [{ citation: '16 CFR 255.5', reason: 'Only a heading; its paragraphs have cards.' }],
  }),
  '17 CFR 275.206(4)-1': head('sec-206-4-1', '17 CFR 275.206(4)-1', 'SEC', 'Investment adviser marketing'),
  'FINRA 2220': head('finra-2220', 'FINRA 2220', 'FINRA', 'Options communications'),
  'Calder Reach 3': head('calder', 'Calder Reach 3', 'Calder Reach', 'Social media policy', { house: true }),
};

function card(n: RuleNode, set: RuleSet): Card {
  return {
    citation: n.citation,
    kind: n.kind,
    title: n.label,
    requires: words[n.citation]?.replace(/^\(\w+\) /, '') ?? 'Nobody names a single coin in a public video.',
    binds: { who: ['finra_member', 'advertiser'], audience: 'retail', needs: ['performance'], note: 'The firm answers for it.' },
    effective: { from: heads[set.id]?.in_force_from ?? '2023-07-26' },
    triggers: ['A yearly gain named as certain', '“You can’t lose”, said in any words'],
    look_alikes: ['A warning that quotes somebody else’s promise'],
    satisfied_by: ['The terms as written, with the conditions in the same breath'],
    severity: 'high',
    remedy: 'Say what it depends on, in the same breath.',
    related: ['FINRA 2210(d)(1)(A)', '16 CFR 255.5(a)'],
    gist: '',
    checked: set.unchecked === 0,
    audited: true,
    regulator: set.regulator,
    source: heads[set.id]?.id ?? '',
    sha256: hash('09c7f1d2'),
  }; // prettier-ignore
}

const setOf = (citation: string) =>
  sets.find((s) => citation.startsWith(s.id) || (outlines[s.id] ?? []).some((n) => n.citation === citation));

export function page(citation: string): RulePage | null {
  const set = setOf(citation);
  const nodes = set ? (outlines[set.id] ?? []) : [];
  const at = nodes.findIndex((n) => n.citation === citation);
  const n = nodes[at];
  if (!set || !n) return null;
  const path: RuleNode[] = [];
  for (let p: RuleNode | undefined = n; p; p = nodes.find((x) => x.citation === p?.parent)) path.unshift(p);
  const section = path[0]?.citation ?? '';
  const flow: RuleParagraph[] = set.text
    ? nodes
        .filter((x) => x.citation.startsWith(section))
        .map((x) => ({
          citation: x.citation,
          depth: (x.citation.match(/\(/g) ?? []).length,
          kind: x.kind,
          heading: words[x.citation] === '' ? x.label : '',
          text: words[x.citation] ?? `${x.mark} ${x.label}.`,
          card: x.card,
          ambiguous: '',
        }))
    : [];
  return {
    set: set.id,
    regulator: set.regulator,
    citation,
    title: n.label,
    path,
    ...(set.text ? { text: set.text } : {}),
    flow,
    more: 0,
    ...(n.card ? { card: card(n, set), ...(heads[set.id] ? { head: heads[set.id] as CardHead } : {}) } : {}),
    without: n.without,
    changed: citation === 'FINRA 2210(d)(1)(D)',
    before: nodes[at - 1]?.citation ?? '',
    after: nodes[at + 1]?.citation ?? '',
  };
}

export function about(id: string): RuleSetAbout | null {
  const set = sets.find((s) => s.id === id);
  const h = heads[id];
  if (!set) return null;
  return {
    set,
    heads: h ? [h] : [],
    check: set.text && h
      ? [{ source: h.id, unresolved: [], uncovered: [], changed: id === 'FINRA 2210' ? ['FINRA 2210(d)(1)(D)'] : [], ambiguous: [], gaps: [] }]
      : [],
  }; // prettier-ignore
}

export function find(query: string): RuleHit[] {
  const q = query.toLowerCase();
  return sets.flatMap((s) =>
    (outlines[s.id] ?? [])
      .filter((n) => `${n.citation} ${n.label} ${words[n.citation] ?? ''}`.toLowerCase().includes(q))
      .slice(0, 12)
      .map((n) => ({
        citation: n.citation,
        title: n.label,
        set: s.id,
        kind: n.kind,
        official: n.text,
        snippet: words[n.citation] ?? 'A creditor tells it in writing.',
      })),
  );
}

export const scope = (model: string, documents: boolean): Scope => ({
  regulators: ['CFPB', 'FTC', 'SEC', 'FINRA', 'Calder Reach'],
  rule_sets: sets.length,
  texts: 3,
  documents: documents
    ? [
        {
          id: 'harbour-10-k-2024',
          title: 'Harbour Lights Inc. 10-K FY2024',
          type: '10-K',
          format: 'html',
          origin: '/home/lena/Papers/harbour-10-k-2024.htm',
          sha256: hash('77ab'),
          reader: 3,
          sections: 40,
          passages: 210,
          anomalies: ['Item 8: the columns of a table do not add up.'],
        },
      ]
    : [],
  model,
});

const found = (rank: number, citation: string, corpus: string, name: string, text: string, more: Partial<FoundPassage> = {}): FoundPassage => ({
  rank,
  id: rank,
  citation,
  title: outlines['FINRA 2210']?.find((n) => n.citation === citation)?.label ?? '',
  corpus,
  kind: corpus === 'cards' ? 'card' : 'rule',
  source: corpus === 'documents' ? 'harbour-10-k-2024' : 'finra-2210',
  name,
  text,
  pinned: false,
  ...more,
}); // prettier-ignore

const passages = [
  found(1, 'FINRA 2210(d)(1)(B)', 'rules', finra.title, words['FINRA 2210(d)(1)(B)'] ?? '', { as_of: finra.as_of, sha256: finra.sha256 }),
  found(2, 'FINRA 2210(d)(1)(A)', 'rules', finra.title, words['FINRA 2210(d)(1)(A)'] ?? '', { as_of: finra.as_of }),
  found(3, '16 CFR 255.5(a)', 'cards', ftc.title, 'A tie that viewers would not expect is told clearly.'),
  found(4, 'FINRA 2210(d)(2)', 'rules', finra.title, words['FINRA 2210(d)(2)'] ?? ''),
]; // prettier-ignore

const table =
  '| | 2024 | 2023 |\n| --- | --- | --- |\n| Net sales | $391,035 | $383,285 |\n| Cost of sales | 210,352 | 214,137 |';

const support = (citation: string, source: string, quote: string, passage: number) => ({
  citation,
  source,
  quote,
  passage,
});

/** What the fake knows: figures of the document, a refusal for fines, a paragraph's own text, and one answer for all else. */
export function answer(request: AskRequest, model: string): Answer {
  const base: Answer = {
    refused: false,
    reason: '',
    confidence: 'high',
    sentences: [],
    passages,
    filters: [],
    how: 'model',
    coverage: 1,
    dropped: 0,
    notice: '',
    anomalies: [],
    model,
    ms: 6200,
  };
  const phrased = model !== '' && request.mode !== 'passages';
  if (/fine|penalt/i.test(request.text))
    return { ...base, refused: true, confidence: 'low', reason: 'Nothing installed says how penalties are set.', how: '', model: '' };
  if (/harbour|sales/i.test(request.text)) {
    const narrowed = !request.without.includes('Harbour Lights');
    return {
      ...base,
      how: 'extract',
      model: '',
      confidence: narrowed ? 'high' : 'medium',
      filters: narrowed
        ? [
            { key: 'document', value: 'Harbour Lights Inc. 10-K FY2024', from: 'Harbour Lights' },
            { key: 'year', value: '2024', from: '2024' },
          ].filter((f) => !request.without.includes(f.from))
        : [],
      passages: [found(1, 'Item 8 › Statements of operations, p. 41', 'documents', 'Harbour Lights Inc. 10-K FY2024', table, { id: 7, kind: 'table' })],
      sentences: [
        {
          text: 'Net sales — 2024: $391,035 (in thousands)',
          verbatim: true,
          support: [support('Item 8 › Statements of operations, p. 41', 'harbour-10-k-2024', '| Net sales | $391,035 | $383,285 |', 1)],
        },
      ],
      anomalies: ['Harbour Lights Inc. 10-K FY2024: Item 8: the columns of a table do not add up.'],
    };
  }
  if (!phrased || /what does/i.test(request.text)) {
    const quote = words['FINRA 2210(d)(1)(B)'] ?? '';
    const own: Sentence[] = [
      { text: `FINRA 2210(d)(1)(B): ${quote}`, verbatim: true, support: [support('FINRA 2210(d)(1)(B)', finra.id, quote, 1)] },
    ];
    return { ...base, how: phrased ? 'direct' : 'extract', model: '', sentences: own };
  }
  return {
    ...base,
    dropped: 1,
    sentences: [
      {
        text: 'may not publish a statement that promises a result it cannot stand behind',
        verbatim: true,
        support: [support('FINRA 2210(d)(1)(B)', finra.id, 'may not publish a statement that promises a result it cannot stand behind', 1)],
      },
      {
        text: 'is fair and balanced, and gives a sound basis for judging the product',
        verbatim: true,
        support: [support('FINRA 2210(d)(1)(A)', finra.id, 'is fair and balanced, and gives a sound basis for judging the product', 2)],
      },
      {
        text: 'Not in those words: a firm may not promise a result that it cannot stand behind.',
        verbatim: false,
        support: [support('FINRA 2210(d)(1)(B)', finra.id, 'may not publish a statement that promises a result it cannot stand behind', 1)],
      },
      {
        text: 'A tie that viewers would not expect must be told.',
        verbatim: false,
        support: [support('16 CFR 255.5(a)', 'ftc-255', 'A tie that viewers would not expect is told clearly', 3)],
      },
    ],
  };
} // prettier-ignore

/** Questions of other days. */
export const past = (model: string): PastQuestion[] =>
  [
    ['May a host promise a return?', '2026-11-20T10:00:00Z', 'careful'],
    ['What fine should we expect?', '2026-11-12T15:30:00Z', 'standard'],
    ['What does FINRA 2210(d)(1)(B) say?', '2026-10-03T08:00:00Z', 'standard'],
  ].map(([text = '', at = '', mode], i) => {
    const request = {
      thread: '',
      text,
      mode: mode as AskMode,
      corpora: [],
      regulators: [],
      documents: [],
      without: [],
    };
    return { id: 40 - i, text, at, by: 'lena', mode: mode as AskMode, answer: { ...answer(request, model), ms: 0 } };
  });

export const reading = (documents: Scope['documents'], passage: number): DocumentPages | null => {
  const [document] = documents;
  return document
    ? {
        document,
        at: passage === 7 ? 1 : 0,
        before: 0,
        after: passage === 7 ? 9 : 0,
        passages: [
          { id: 6, title: 'Item 8', place: 'Item 8, p. 40', kind: 'document', text: 'The statements follow.' },
          { id: 7, title: 'Item 8', place: 'Item 8 › Statements of operations, p. 41', kind: 'table', text: `In thousands\n${table}` },
          { id: 8, title: 'Item 8', place: 'Item 8, p. 42', kind: 'document', text: 'See the notes to the statements.' },
        ],
      }
    : null;
}; // prettier-ignore
