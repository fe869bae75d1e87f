import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "./cli";
import { previewText } from "./preview-steps";

/** What a review prints with `--json`, as far as tests look at it. */
export interface ReviewedDocument {
  readonly changes: readonly { readonly severity: string; readonly effect: string; readonly message: string }[];
  readonly unknown: readonly { readonly what: string; readonly reason: string }[];
  readonly assumed: readonly { readonly what: string; readonly reason: string }[];
  readonly warnings: readonly { readonly message: string }[];
  readonly bounds: string;
}

/** A gate for pull requests: the document, and how the command ended, for the preview of a stack with these steps. */
export async function gate(steps: readonly object[], ...options: readonly string[]) {
  const { code, stdout, stderr } = await review(steps, "--json", "--fail-on", "high", ...options);
  return { code, stderr, document: JSON.parse(stdout) as ReviewedDocument };
}

/** The command `review` of the preview of a stack with these steps, without the platform. */
export async function review(steps: readonly object[], ...options: readonly string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "review-"));
  try {
    const file = path.join(folder, "preview.json");
    await writeFile(file, previewText(steps));
    return await run(["review", "--file", file, ...options], {});
  } finally {
    await rm(folder, { recursive: true });
  }
}
