import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { playEngine } from "./support";

/** A resource as the engine receives it. */
export interface Registered {
  /** Last part of its type: `Group`. */
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

/** The resources that `construct` declares under mocks, by their names and without their provider texts. */
export async function declaredBy(construct: () => unknown): Promise<Registered[]> {
  const registered = await playEngine();
  // The SDK takes a stack trace for every promise, which is most of the time of a large tree.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    construct();
    await pulumi.runtime.disconnect();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return registered
    .map(({ type, name, inputs }) => {
      const { __provider: _, ...given } = inputs;
      return { type: type.split(":").at(-1) ?? "", name, inputs: given };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Runs `use` with a file that holds `text`, in a working directory of its own. */
export function withFile<Result>(text: string, use: () => Result, name = "acme.yaml"): Result {
  const [folder, before] = [mkdtempSync(path.join(tmpdir(), "organization-")), process.cwd()];
  writeFileSync(path.join(folder, name), text);
  process.chdir(folder);
  try {
    return use();
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
}
