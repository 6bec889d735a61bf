// Which character of a text stands under a point: a line needs no element for each of its words to know which was
// clicked.

/** The place of a point in the text of an element; -1 beside the text. */
export function letterAt(root: Element, x: number, y: number): number {
  const caret = caretAt(x, y);
  if (!caret || !root.contains(caret.node) || caret.node.nodeType !== Node.TEXT_NODE) return -1;
  const length = caret.node.textContent?.length ?? 0;
  // The caret stands before or behind the letter that was hit.
  for (const at of [caret.offset, caret.offset - 1]) {
    if (at < 0 || at >= length) continue;
    const range = document.createRange();
    range.setStart(caret.node, at);
    range.setEnd(caret.node, at + 1);
    const hit = [...range.getClientRects()].some((r) => x >= r.left && x <= r.right && y >= r.top && y <= r.bottom);
    if (hit) return before(root, caret.node) + at;
  }
  return -1;
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  // Chromium and WebKit know the second, the standard and Firefox the first.
  const d = document as Document & {
    caretPositionFromPoint?: (x: number, y: number) => { offsetNode: Node; offset: number } | null;
    caretRangeFromPoint?: (x: number, y: number) => Range | null;
  };
  const position = d.caretPositionFromPoint?.(x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  const range = d.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

/** How many letters of an element's text stand before a node of it. */
function before(root: Element, node: Node): number {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let sum = 0;
  for (let n = walker.nextNode(); n && n !== node; n = walker.nextNode()) sum += n.textContent?.length ?? 0;
  return sum;
}
