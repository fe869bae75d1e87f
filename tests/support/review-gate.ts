import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReviewDocument } from "../../cli/documents/review";
import { run } from "./cli";
import { previewText } from "./preview-steps";

/** A gate for pull requests: the document, and how the command ended, for the preview of a stack with these steps. */
export async function gate(steps: readonly object[], ...options: readonly string[]) {
  const ended = await review(steps, ["--json", "--fail-on", "high", ...options]);
  return { ...ended, document: JSON.parse(ended.stdout) as ReviewDocument };
}

/** The command `review` of the preview of a stack with these steps. @param environment Default: without the platform */
export async function review(steps: readonly object[], options: readonly string[] = [], environment: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "review-"));
  try {
    const file = path.join(folder, "preview.json");
    await writeFile(file, previewText(steps));
    return await run(["review", "--file", file, ...options], environment);
  } finally {
    await rm(folder, { recursive: true });
  }
}
