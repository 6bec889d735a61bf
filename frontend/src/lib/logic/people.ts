// Names as people read them: case and spaces make nobody another person. The Go side compares alike.
const fold = (s: string) => s.trim().replaceAll(/\s+/g, ' ').toLowerCase();

export const samePerson = (a: string, b: string) => fold(a) === fold(b);
