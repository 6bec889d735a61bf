// What the Go side does for a German window, over the invented audit: its sentences in German, and whatever has none
// in parts, with the language of each.
import type { Part, Result } from '../../src/lib/api';

const german: Record<string, string> = {
  'The video stands behind a FINRA member, and it is for the public.':
    'Hinter dem Video steht ein FINRA-Mitglied, und es richtet sich an jedermann.',
  'The words promise a fixed gain in any market, and no condition is said or shown within 30 s.':
    'Die Wörter versprechen einen festen Gewinn bei jedem Markt, und bis 30 s ringsum wird keine Bedingung genannt.',
  'The note pays 9.5% a year only while all three indexes stay above their barriers. If one does not, you can lose money.':
    'Nennen Sie die Bedingung beim Versprechen, ebenso deutlich.',
  'Looked for a condition in the 30 s before and after, said or shown.':
    'Gesucht wurde nach einer Bedingung, 30 s davor und danach, gesagt oder gezeigt.',
  'a caption, 10 s later, for 1.6 s': 'eine Einblendung, 10 s später, 1,6 s lang',
  'The sentence speaks of a tie and does not say whether money changed hands.':
    'Der Satz spricht von einer Verbindung und sagt nicht, ob Geld floss.',
  'Say at the start, in speech and on the screen, who pays for the video.':
    'Sagen und zeigen Sie am Anfang, wer für das Video bezahlt.',
  'It depends on whether the speaker is paid. Answer that question to settle it.':
    'Es hängt davon ab, ob bezahlt wird. Die Antwort auf diese Frage klärt es.',
  'Leave the sum out, or show a hypothetical illustration of how compounding works without naming an investment.':
    'Lassen Sie die Summe weg, oder veranschaulichen Sie den Zinseszins, ohne eine Anlage zu nennen.',
  'Only the gain is spoken of; the loss of capital is never named.':
    'Nur vom Gewinn ist die Rede; der Verlust des Kapitals wird nie genannt.',
  'Name the chance of loss next to the return.': 'Nennen Sie den möglichen Verlust neben dem Ertrag.',
  'The only condition is in small letters for 1.6 s.': 'Die einzige Bedingung steht 1,6 s lang in kleiner Schrift.',
  'Say the condition, or show it as large as the return and as long as it takes to read.':
    'Sagen Sie die Bedingung, oder zeigen Sie sie so groß wie den Ertrag und lange genug zum Lesen.',
  'Letters 2.4% of the frame, contrast 3.2:1, shown 1.6 s; reading takes about 4 s.':
    'Buchstaben 2,4 % der Bildhöhe, Kontrast 3,2 zu 1, 1,6 s zu sehen; zu lesen braucht es etwa 4 s.',
  'An insured account is put beside a note that can lose money.':
    'Ein abgesichertes Konto wird neben ein Papier gestellt, mit dem man Geld verlieren kann.',
  'Name insurance, liquidity and risk of both.': 'Nennen Sie Absicherung, Verfügbarkeit und Risiko von beiden.',
  'No disclosure of a paid tie was found: 19 sentences, 5 screen texts and the description were read.':
    'Keine Offenlegung einer bezahlten Verbindung gefunden: 19 Sätze, 5 Einblendungen und die Beschreibung gelesen.',
  'The description speaks of links that help the channel; nothing is said in the video itself.':
    'Die Beschreibung spricht von Links, die dem Kanal helfen; im Video selbst fällt kein Wort.',
  'Open with a spoken and shown disclosure.': 'Beginnen Sie mit einer Offenlegung, gesagt und gezeigt.',
  'It depends on whether the speaker is paid.': 'Es hängt davon ab, ob bezahlt wird.',
  'Numbers were run back over the past.': 'Es wurde über die Vergangenheit zurückgerechnet.',
  'Leave it out, or show it only to those whom the policies allow.':
    'Lassen Sie es weg, oder zeigen Sie es nur denen, für die es nach den Grundsätzen bestimmt ist.',
  'An emergency fund is not what a note without liquidity is for.':
    'Für eine Rücklage ist ein Papier ohne Verfügbarkeit nicht gedacht.',
  'Say for whom it is not suitable.': 'Sagen Sie, für wen es nicht geeignet ist.',
  'The video does not speak of options, and you answered no.':
    'Das Video handelt nicht von Optionen, und so lautet auch die Antwort.',
  'Binds registered advisers. The video was made for a broker-dealer.':
    'Bindet registrierte Berater. Das Video entstand für einen Broker-Dealer.',
  'No organisation or rating is named.': 'Es wird keine Organisation oder Bewertung genannt.',
  '0 of 25 lines': '0 von 25 Zeilen',
  '1 looked at': '1 betrachtet',
  'No rule text is installed for this category.': 'Für diese Kategorie ist kein Regeltext installiert.',
  'Words not in the transcript': 'Wörter nicht in der Abschrift',
  'Paragraph not retrieved': 'Absatz nicht herangezogen',
  'No disclosure was found.': 'Es wurde keine Offenlegung gefunden.',
};

/** Titles of categories. */
export const titles: Record<string, string> = {
  promissory_claim: 'Versprechen eines Ergebnisses',
  undisclosed_paid_tie: 'Nicht offengelegte Verbindung',
  projected_performance: 'Vorhersage der Wertentwicklung',
  benefits_without_risks: 'Vorteile ohne Risiken',
  essential_matter_in_legend: 'Wesentliches nur in einer Fußnote',
  unfair_comparison: 'Unfairer Vergleich',
  missing_disclosure: 'Fehlende Offenlegung',
  back_tested_return: 'Rückgerechneter Ertrag',
  wrong_audience: 'Falsches Publikum',
  misuse_of_finra_name: 'Missbrauch des Namens der FINRA',
  claimed_approval: 'Behauptete Billigung',
  predecessor_performance: 'Wertentwicklung eines Vorgängers',
  options_communications: 'Mitteilungen über Optionen',
  fees_of_funds: 'Gebühren von Fonds',
  misleading_claim: 'Irreführende Aussage',
  unclear_statement: 'Unklare Aussage',
};

/** The audit in German, and the parts of those sentences that have something else in them. */
export function inGerman(r: Result): { result: Result; foreign: Record<string, Part[]> } {
  const foreign: Record<string, Part[]> = {};
  const say = (words: string): string => {
    if (!words) return '';
    const known = german[words];
    if (known) return known;
    const parts = [{ text: 'Originaltext, englisch: „' }, { text: words, language: 'en' }, { text: '“' }];
    const text = parts.map((p) => p.text).join('');
    foreign[text] = parts;
    return text;
  };
  const result = {
    ...r,
    findings: r.findings.map((f) => ({
      ...f,
      evidence: say(f.evidence),
      rationale: say(f.rationale),
      remedy: say(f.remedy),
      applies: say(f.applies),
      ...(f.context ? { context: f.context.map((c) => ({ ...c, why: say(c.why) })) } : {}),
    })),
    not_applicable: r.not_applicable.map((n) => ({ ...n, reason: say(n.reason) })),
    checked: r.checked.map((c) => ({ ...c, ...(c.note ? { note: say(c.note) } : {}) })),
    dropped: r.dropped.map((d) => ({ ...d, reason: say(d.reason) })),
    notices: (r.notices ?? []).map(say),
  };
  return { result, foreign };
}
