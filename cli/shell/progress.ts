import { printable } from "../../provider/client/printable";

const eraseLine = "\r\u001b[2K";

/**
 * One line on standard error that says what a command is doing, while it does it. Nothing is shown if no one is watching: without a
 * terminal, and in CI.
 */
export class Progress {
  readonly #isShown = process.stderr.isTTY && !process.env["CI"];

  /** Shows `text` in place of what was shown before. */
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

  /** Removes the line. Call it before anything else is written, and at the end. */
  clear(): void {
    if (this.#isShown) process.stderr.write(eraseLine);
  }
}

/** What `work` returns, which may show its progress; nothing of that is left, however it ends. */
export async function withProgress<Result>(work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = new Progress();
  try {
    return await work(progress);
  } finally {
    progress.clear();
  }
}
