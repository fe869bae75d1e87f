/** Tells the command `rehearse` on standard output, line by line, what the rehearsal cannot show. */
export class Report {
  readonly #written = new Set<string>();

  /** @param write writes a line. Default: to standard output */
  constructor(private readonly write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`)) {}

  /** The effect of `what` is unknown. */
  undecided(what: string, reason: string): void {
    this.#once({ undecided: { what, reason } });
  }

  /** The resource `urn` was refused, because code other than this release serves it. */
  refused(urn: string): void {
    this.#once({ refused: { urn } });
  }

  #once(fact: object): void {
    const line = JSON.stringify(fact);
    if (this.#written.has(line)) return;
    this.#written.add(line);
    this.write(line);
  }
}
