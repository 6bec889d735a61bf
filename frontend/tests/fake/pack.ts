// Packs the words of segments as app/words.go does: an audit comes to the window without them.
import type { Segment } from '../../src/lib/api';

export function takeWords(segments: Segment[]): { segments: Segment[]; words: Record<string, string> } {
  const words: Record<string, string> = {};
  const bare = segments.map((s) => {
    const numbers: number[] = [];
    let from = 0;
    for (const w of s.words ?? []) {
      const text = w.text.trim();
      const start = s.text.indexOf(text, from);
      if (!text || start < 0) continue;
      from = start + text.length;
      numbers.push(start, from, w.start_ms - s.start_ms, w.end_ms - s.start_ms);
    }
    if (numbers.length) words[s.id] = numbers.join(' ');
    const rest = { ...s };
    delete rest.words;
    return rest;
  });
  return { segments: bare, words };
}
