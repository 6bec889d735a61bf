// Heights of a long list's rows: a Fenwick tree, so that measuring one row, finding the row at a pixel and the pixel
// of a row are all O(log n). Rows that were never measured count with an estimate.

export class Heights {
  readonly length: number;
  private readonly height: Float64Array;
  private readonly tree: Float64Array;
  private readonly top: number;

  constructor(length: number, estimate: (i: number) => number) {
    this.length = length;
    this.height = new Float64Array(length);
    this.tree = new Float64Array(length + 1);
    for (let i = 0; i < length; i++) {
      const h = estimate(i);
      this.height[i] = h;
      this.tree[i + 1] = (this.tree[i + 1] ?? 0) + h;
      const parent = i + 1 + ((i + 1) & -(i + 1));
      if (parent <= length) this.tree[parent] = (this.tree[parent] ?? 0) + (this.tree[i + 1] ?? 0);
    }
    this.top = length > 0 ? 1 << Math.floor(Math.log2(length)) : 0;
  }

  of(i: number): number {
    return this.height[i] ?? 0;
  }

  /** Sets a row's height and says by how much it changed. */
  set(i: number, h: number): number {
    const by = h - this.of(i);
    if (by === 0 || i < 0 || i >= this.length) return 0;
    this.height[i] = h;
    for (let k = i + 1; k <= this.length; k += k & -k) this.tree[k] = (this.tree[k] ?? 0) + by;
    return by;
  }

  /** The pixel at which row i begins. */
  offset(i: number): number {
    let sum = 0;
    for (let k = Math.min(i, this.length); k > 0; k -= k & -k) sum += this.tree[k] ?? 0;
    return sum;
  }

  get total(): number {
    return this.offset(this.length);
  }

  /** The row that a pixel falls in. */
  at(y: number): number {
    let k = 0;
    let rest = y;
    for (let step = this.top; step > 0; step >>= 1) {
      const next = k + step;
      const h = this.tree[next] ?? 0;
      if (next <= this.length && h <= rest) {
        k = next;
        rest -= h;
      }
    }
    return Math.min(k, Math.max(0, this.length - 1));
  }
}
