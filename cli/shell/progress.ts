import { printable } from "../../provider/client/printable";

const eraseLine = "\r\u001b[2K";

/** One line on standard error about the current work of a command. Nothing is shown without a terminal or in CI, where nobody watches. */
export class Progress {
  readonly #isShown = process.stderr.isTTY && !process.env["CI"];

  /** Shows `text` in place of the previous text. */
  update(text: string): void {
    const width = process.stderr.columns || 80;
    if (this.#isShown)
      process.stderr.write(
        eraseLine +
          printable(text)
            .replaceAll("\n", " ")
            .slice(0, width - 1),
      );
  }

  /** Removes the line. Must be called before any other output, and at the end. */
  clear(): void {
    if (this.#isShown) process.stderr.write(eraseLine);
  }
}

/** The result of `work`, which may show its progress. The progress is removed in any case. */
export async function withProgress<Result>(work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = new Progress();
  try {
    return await work(progress);
  } finally {
    progress.clear();
  }
}
