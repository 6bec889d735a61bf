// Amounts of bytes as people read them, in powers of ten.
const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** 148 MB, 1.1 GB (1,1 GB in German). */
export function size(bytes: number, language = 'en'): string {
  let n = Math.max(0, bytes);
  let u = 0;
  while (n >= 1000 && u < units.length - 1) {
    n /= 1000;
    u++;
  }
  const digits = u >= 3 && n < 100 ? 1 : 0;
  return `${decimal(n, digits, language)} ${units[u] ?? 'B'}`;
}

/** A number with the comma or the point of its language. */
export function decimal(n: number, digits: number, language = 'en'): string {
  return n.toLocaleString(language === 'de' ? 'de' : 'en', { maximumFractionDigits: digits });
}

/** A span that is still to come: nobody counts the tenths of it. */
export function rough(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 60) return `${Math.max(1, s)} s`;
  if (s < 3600) return `${Math.round(s / 60)} min`;
  return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`;
}
