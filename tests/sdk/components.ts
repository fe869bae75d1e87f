import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { plainRefusal } from "./support";

/** A resource as the engine receives it. */
export interface Registered {
  /** Last part of its type: `Group`. */
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

/** The resources that `construct` declares under mocks, by their names and without their provider texts. */
export async function declaredBy(construct: () => unknown): Promise<Registered[]> {
  const registered: Registered[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      const { __provider: _, ...given } = inputs as Record<string, unknown>;
      registered.push({ type: type.split(":").at(-1) ?? "", name, inputs: given });
      return { id: `uid-of-${name}`, state: inputs as object };
    },
    call: ({ inputs }) => inputs as object,
  });
  construct();
  await pulumi.runtime.disconnect();
  return registered.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The {@link plainRefusal} of `construct`. */
export function refusalOf(construct: () => unknown): string {
  try {
    construct();
  } catch (error) {
    return plainRefusal(error);
  }
  throw new Error("nothing was refused");
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
