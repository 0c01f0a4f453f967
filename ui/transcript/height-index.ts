/** Heights of rows with sums over any beginning: a Fenwick tree, so that a change and a sum cost the logarithm of the count. */
export class HeightIndex {
  private readonly heights: number[] = []
  private readonly tree: number[] = [0]

  get count(): number {
    return this.heights.length
  }

  height(row: number): number {
    return this.heights[row] ?? 0
  }

  /** Sets the height of a row; `row` equal to the count appends one. */
  set(row: number, height: number): void {
    if (row === this.heights.length) {
      this.heights.push(height)
      // A node sums the heights below it down to the next lower power-of-two boundary.
      const node = row + 1
      let sum = height
      for (let child = 1; child < (node & -node); child <<= 1) sum += this.tree[node - child] ?? 0
      this.tree.push(sum)
      return
    }
    const change = height - this.height(row)
    if (change === 0) return
    this.heights[row] = height
    for (let node = row + 1; node < this.tree.length; node += node & -node)
      this.tree[node] = (this.tree[node] ?? 0) + change
  }

  /** Sum of the heights of all rows before `row`. */
  before(row: number): number {
    let sum = 0
    for (let node = Math.min(row, this.count); node > 0; node -= node & -node) sum += this.tree[node] ?? 0
    return sum
  }

  get total(): number {
    return this.before(this.count)
  }

  /** Forgets the rows from `row` on. */
  truncate(row: number): void {
    this.heights.length = Math.min(row, this.heights.length)
    this.tree.length = this.heights.length + 1
  }
}
