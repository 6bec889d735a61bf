// Times as people read them. All are milliseconds since the first frame.

/** mm:ss.t, or h:mm:ss.t from an hour on. */
export function clock(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100));
  return `${whole(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/** mm:ss, or h:mm:ss from an hour on: for lengths and rulers. */
export function short(ms: number): string {
  return whole(Math.max(0, Math.floor(ms / 1000)));
}

function whole(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return h > 0 ? `${h}:${rest}` : rest;
}

/** A number with that many decimals, and the decimal mark of the language. */
export function decimal(n: number, digits: number, language = 'en'): string {
  const said = n.toFixed(digits);
  return language === 'de' ? said.replace('.', ',') : said;
}

/** 5.5 s, 22 s, 3 min 05 s, 1 h 12 min: for spans. */
export function span(ms: number, language = 'en'): string {
  const s = Math.max(0, ms) / 1000;
  if (s < 10) return `${decimal(s, 1, language)} s`;
  const r = Math.round(s);
  if (r < 60) return `${r} s`;
  if (r < 3600) return `${Math.floor(r / 60)} min ${String(r % 60).padStart(2, '0')} s`;
  return `${Math.floor(r / 3600)} h ${String(Math.floor((r % 3600) / 60)).padStart(2, '0')} min`;
}

const months: Record<string, string[]> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  de: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
};

/** 24 Nov 2026 (24. Nov. 2026 in German); empty for what is no date. */
export function day(iso: string, language = 'en'): string {
  const plain = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso);
  const date = plain ? new Date(Number(plain[1]), Number(plain[2]) - 1, Number(plain[3])) : new Date(iso);
  if (Number.isNaN(date.getTime()) || date.getFullYear() < 1900) return '';
  const names = months[language] ?? months.en ?? [];
  return `${date.getDate()}${language === 'de' ? '.' : ''} ${names[date.getMonth()]} ${date.getFullYear()}`;
}

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
export function isDate(s: string): boolean {
  const m = /^(\d{4})-(\d{2})-(\d{2})$/.exec(s);
  if (!m) return false;
  const d = new Date(Number(m[1]), Number(m[2]) - 1, Number(m[3]));
  return d.getMonth() === Number(m[2]) - 1 && d.getDate() === Number(m[3]);
}

const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200].map((s) => s * 1000);

/** The times that a ruler names between two times: about as many as fit at a given pixel distance. */
export function ruler(from: number, to: number, width: number, apart = 90): number[] {
  if (to <= from || width <= 0) return [];
  const least = ((to - from) / width) * apart;
  const step = steps.find((s) => s >= least) ?? steps[steps.length - 1] ?? 3600000;
  const out: number[] = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) out.push(t);
  return out;
}
