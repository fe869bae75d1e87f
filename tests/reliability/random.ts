/** Random numbers that a seed decides (mulberry32), so that a failing run can be repeated. */
export class Random {
  constructor(private state: number) {}

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return low + (((mixed ^ (mixed >>> 14)) >>> 0) % (high - low + 1));
  }

  /** One of `values`. */
  of<Value>(values: readonly Value[]): Value {
    return values[this.between(0, values.length - 1)] as Value;
  }
}
