// Brings a place into view within the box that scrolls, and moves nothing else: the platform's own way also scrolls
// what lies around the box.

/** Where a box of that height must scroll to for a place to stand in its upper third; a place that fits is not cut. */
export function scrollTo(top: number, height: number, view: number): number {
  return Math.max(0, top - Math.max(0, Math.min(view / 3, (view - height) / 2)));
}

export function bring(node: Element | null | undefined) {
  const box = node?.closest('.scroll');
  if (!node || !box) return;
  const a = node.getBoundingClientRect();
  const b = box.getBoundingClientRect();
  box.scrollTop = scrollTo(a.top - b.top + box.scrollTop, a.height, box.clientHeight);
}
