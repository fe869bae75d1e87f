import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { PrivateFolder } from "./folder";
import type { Passphrase } from "./secrets";

const resource = z.looseObject({ urn: z.string(), type: z.string(), id: z.string().optional() });

/** A resource of a state, as far as a rehearsal reads it. */
export type StateResource = z.infer<typeof resource> & Readonly<Record<string, unknown>>;

const exported = z.looseObject({
  version: z.number(),
  features: z.array(z.string()).optional(),
  deployment: z.looseObject({ resources: z.array(resource).nullish() }),
});

/** The output of `pulumi stack export --show-secrets`. */
export type ExportedState = z.infer<typeof exported>;

/** The state in the output of `pulumi stack export --show-secrets`. @throws Error for another text */
export function exportedState(text: string): ExportedState {
  return exported.parse(JSON.parse(text));
}

const configured = z.record(
  z.string(),
  z.looseObject({ value: z.string().optional(), objectValue: z.unknown().optional(), secret: z.boolean().optional() }),
);

/** The output of `pulumi config --show-secrets --json`. */
export type Configured = z.infer<typeof configured>;

/** The configuration in the output of `pulumi config --show-secrets --json`. @throws Error for another text */
export function configuredIn(text: string): Configured {
  return configured.parse(JSON.parse(text));
}

/** A stack to copy. */
export interface StackSource {
  readonly project: string;
  /** Without its organisation and project. */
  readonly stack: string;
  /** Its organisation on a service; undefined on backends without organisations, and if it is not known. */
  readonly organization?: string;
  /** Packages for which the project has plugins of its own. */
  readonly packages: readonly string[];
  readonly state: ExportedState;
  readonly configured: Configured;
  /** The other stacks that it refers to, by `organization/project/stack`. */
  readonly referred: ReadonlyMap<string, ExportedState>;
}

/** A stack in a backend of its own. */
export interface PrivateStack {
  readonly backend: string;
  readonly configFile: string;
  /** The file with its state, which the engine replaces. */
  readonly stateFile: string;
}

/** Copies a stack. All its secrets are encrypted anew before they are written. */
export async function copyStack(
  { project, stack, state, configured: values, referred }: StackSource,
  folder: PrivateFolder,
  passphrase: Passphrase,
): Promise<PrivateStack> {
  const backend = folder.in("backend");
  const stacks = path.join(backend, ".pulumi", "stacks");
  const fileOf = (ofProject: string, name: string) => path.join(stacks, ofProject, `${name}.json`);
  const write = async (file: string, content: unknown) => {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  };
  await write(path.join(backend, ".pulumi", "meta.yaml"), "version: 1\n");
  await write(fileOf(project, stack), checkpointOf(`organization/${project}/${stack}`, state, passphrase));
  for (const [name, other] of referred) {
    const [, otherProject = "", otherStack = ""] = name.split("/");
    // Others read only its outputs, which the resource of the stack has.
    const resources = (other.deployment.resources ?? []).filter(({ type }) => type === "pulumi:pulumi:Stack");
    const outputs = { ...other, deployment: { ...other.deployment, resources, pending_operations: [] } };
    await write(fileOf(otherProject, otherStack), checkpointOf(name, outputs, passphrase));
  }
  const configFile = folder.in("config", `Pulumi.${stack}.json`);
  await write(configFile, { encryptionsalt: passphrase.salt, config: configOf(values, passphrase) });
  return { backend, configFile, stateFile: fileOf(project, stack) };
}

/** The file of a file backend. */
function checkpointOf(stack: string, { deployment, ...others }: ExportedState, passphrase: Passphrase): object {
  const isEmpty = (deployment.resources ?? []).length === 0;
  if (isEmpty) return { ...others, checkpoint: { stack } };
  const encrypted = passphrase.encryptedState(deployment) as object;
  const latest = { ...encrypted, secrets_providers: { type: "passphrase", state: { salt: passphrase.salt } } };
  return { ...others, checkpoint: { stack, latest } };
}

/** The configuration as a stack's file has it. */
function configOf(values: Configured, passphrase: Passphrase): Record<string, unknown> {
  const settings = Object.entries(values).flatMap(([key, { value = "", objectValue, secret }]): [string, unknown][] => {
    if (secret === true) return [[key, { secure: passphrase.encrypt(value) }]];
    return [[key, objectValue ?? value]];
  });
  return Object.fromEntries(settings);
}

/** The names of the stacks that a state refers to. */
export function referredStacks({ deployment }: ExportedState): string[] {
  const references = (deployment.resources ?? []).filter(({ type }) => type === "pulumi:pulumi:StackReference");
  const names = references.map(({ inputs }) => (inputs as { name?: unknown } | undefined)?.name);
  return [...new Set(names.filter((name) => typeof name === "string"))];
}
