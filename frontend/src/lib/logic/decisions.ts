// What a list of decisions comes to, and how findings are put in order.
import type { Decision, Finding, Origin, Severity } from '$lib/api';

export type Stand = 'open' | 'accepted' | 'dismissed';

export interface Verdict {
  stand: Stand;
  severity: Severity;
  reason: string;
  by: string;
  at: string;
  /** Where the decision comes from, when it was carried over from an earlier audit. */
  carried: Origin | null;
  notes: { text: string; by: string; at: string }[];
}

/** Folds the decisions of an audit, in their order, into one verdict for each finding. */
export function fold(findings: Finding[], decisions: Decision[]): Map<string, Verdict> {
  const out = new Map<string, Verdict>();
  for (const f of findings) {
    out.set(f.id, { stand: 'open', severity: f.severity, reason: '', by: '', at: '', carried: null, notes: [] });
  }
  for (const d of decisions) {
    const v = out.get(d.finding_id);
    if (!v) continue;
    switch (d.action) {
      case 'accept':
      case 'dismiss':
        v.stand = d.action === 'accept' ? 'accepted' : 'dismissed';
        v.reason = d.reason ?? '';
        v.by = d.by;
        v.at = d.at;
        v.carried = d.carried ?? null;
        break;
      case 'reopen':
        v.stand = 'open';
        v.reason = v.by = v.at = '';
        v.carried = null;
        break;
      case 'severity':
        if (d.severity) v.severity = d.severity;
        break;
      case 'comment':
        if (d.reason) v.notes.push({ text: d.reason, by: d.by, at: d.at });
        break;
    }
  }
  return out;
}

export type Grouping = 'severity' | 'time' | 'rule' | 'status';
export type Show = 'all' | 'open' | 'decided';

export interface Group {
  key: string;
  findings: Finding[];
  decided: number;
}

const order: Record<Severity, number> = { high: 0, medium: 1, low: 2 };

/** Filters, groups and orders findings. Inside a group they stand by time. */
export function arrange(
  findings: Finding[],
  verdicts: Map<string, Verdict>,
  by: Grouping,
  show: Show,
  query: string,
  among: (f: Finding) => boolean = () => true,
): Group[] {
  const wanted = query.trim().toLocaleLowerCase();
  const stand = (f: Finding) => verdicts.get(f.id)?.stand ?? 'open';
  const severity = (f: Finding) => verdicts.get(f.id)?.severity ?? f.severity;
  const kept = findings.filter((f) => {
    if (!among(f)) return false;
    if (show === 'open' && stand(f) !== 'open') return false;
    if (show === 'decided' && stand(f) === 'open') return false;
    if (!wanted) return true;
    return [f.category, f.citation, f.excerpt, f.rationale, f.rule.title, f.regulator]
      .join('\n')
      .replaceAll('_', ' ')
      .toLocaleLowerCase()
      .includes(wanted);
  });
  const key: Record<Grouping, (f: Finding) => string> = {
    severity,
    time: () => '',
    rule: (f) => f.citation,
    status: (f) => (stand(f) === 'open' ? f.status : stand(f)),
  };
  const groups = new Map<string, Finding[]>();
  for (const f of [...kept].sort((a, b) => a.start_ms - b.start_ms || order[severity(a)] - order[severity(b)])) {
    const k = key[by](f);
    const list = groups.get(k);
    if (list) list.push(f);
    else groups.set(k, [f]);
  }
  const place: Record<string, number> = {
    ...order,
    needs_review: 0,
    confirmed: 1,
    accepted: 2,
    dismissed: 3,
  };
  return [...groups]
    .map(([k, list]) => ({ key: k, findings: list, decided: list.filter((f) => stand(f) !== 'open').length }))
    .sort((a, b) => (place[a.key] ?? 9) - (place[b.key] ?? 9) || a.key.localeCompare(b.key, 'en', { numeric: true }));
}
