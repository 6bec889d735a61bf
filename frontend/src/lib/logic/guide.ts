// Reads the little Markdown of the user guide: headings, paragraphs, lists, pictures, tables, and in a line bold words,
// keys and links. Everything becomes text; nothing becomes HTML.
export type Piece = { kind: 'text' | 'bold' | 'code'; text: string } | { kind: 'link'; text: string; to: string };

export type Block =
  | { kind: 'h1' | 'h2'; text: string }
  | { kind: 'p'; pieces: Piece[] }
  | { kind: 'ul' | 'ol'; items: Piece[][] }
  | { kind: 'image'; name: string; text: string }
  | { kind: 'table'; head: Piece[][]; rows: Piece[][][] };

export function pieces(line: string): Piece[] {
  const out: Piece[] = [];
  const marks = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;
  let at = 0;
  for (const m of line.matchAll(marks)) {
    if (m.index > at) out.push({ kind: 'text', text: line.slice(at, m.index) });
    if (m[1] !== undefined) out.push({ kind: 'bold', text: m[1] });
    else if (m[2] !== undefined) out.push({ kind: 'code', text: m[2] });
    else out.push({ kind: 'link', text: m[3] ?? '', to: m[4] ?? '' });
    at = m.index + m[0].length;
  }
  if (at < line.length) out.push({ kind: 'text', text: line.slice(at) });
  return out;
}

export function blocks(markdown: string): Block[] {
  const out: Block[] = [];
  for (const part of markdown.replaceAll('\r', '').split(/\n{2,}/)) {
    const lines = part.split('\n').filter((l) => l.trim() !== '');
    const first = lines[0] ?? '';
    if (!first) continue;
    const picture = /^!\[([^\]]*)\]\((?:.*\/)?([^/)]+)\)$/.exec(first.trim());
    if (picture) out.push({ kind: 'image', text: picture[1] ?? '', name: picture[2] ?? '' });
    else if (first.startsWith('# ')) out.push({ kind: 'h1', text: first.slice(2) });
    else if (first.startsWith('## ')) out.push({ kind: 'h2', text: first.slice(3) });
    else if (/^([-*]|\d+\.) /.test(first)) {
      const items: string[] = [];
      for (const l of lines) {
        const item = /^(?:[-*]|\d+\.) +(.*)$/.exec(l);
        if (item) items.push(item[1] ?? '');
        else items[items.length - 1] += ` ${l.trim()}`;
      }
      out.push({ kind: /^\d/.test(first) ? 'ol' : 'ul', items: items.map(pieces) });
    } else if (first.startsWith('|')) {
      const cells = (l: string) =>
        l
          .trim()
          .replace(/^\||\|$/g, '')
          .split('|')
          .map((c) => pieces(c.trim()));
      out.push({ kind: 'table', head: cells(first), rows: lines.slice(2).map(cells) });
    } else out.push({ kind: 'p', pieces: pieces(lines.map((l) => l.trim()).join(' ')) });
  }
  return out;
}
