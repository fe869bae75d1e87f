import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ReviewDocument } from "../../cli/documents/review";
import { run } from "./cli";
import { scratchFolder } from "./scratch-folder";
import { previewText } from "./preview-steps";

const folder = scratchFolder();

/** A gate for pull requests: the document, and how the command ended, for the preview of a stack with these steps. */
export async function gate(steps: readonly object[], ...options: readonly string[]) {
  const ended = await review(steps, ["--json", "--fail-on", "high", ...options]);
  return { ...ended, document: JSON.parse(ended.stdout) as ReviewDocument };
}

/** The command `review` of the preview of a stack with these steps. @param environment Default: without the platform */
export async function review(
  steps: readonly object[],
  options: readonly string[] = [],
  environment: Record<string, string> = {},
) {
  const file = path.join(folder, "preview.json");
  await writeFile(file, previewText(steps));
  return run(["review", "--file", file, ...options], environment);
}
