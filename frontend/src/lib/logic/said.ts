// Says a sentence of the Go side in another language. It comes in English, with the form that it was made of and what
// stands in the form's places.
import type { Message } from '$lib/api';

/** The sentence by a catalogue of forms; the English one where the catalogue does not know it. */
export function translate(forms: Record<string, string>, sentence: string, said?: Message): string {
  // A process of the program's own hands on a sentence without its form; then the sentence itself may be one.
  const form = (said && forms[said.key]) ?? forms[sentence];
  if (form === undefined) return sentence;
  return form.replaceAll(/\{(\d+)\}/g, (gap, n: string) => {
    const words = said?.args?.[Number(n)];
    return words === undefined ? gap : (forms[words] ?? words);
  });
}
