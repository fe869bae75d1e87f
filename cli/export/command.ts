import path from "node:path";
import { Option } from "commander";
import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";
import { parentOf } from "../../provider/client/uid";
import { isBuiltIn } from "../../provider/kinds/role";
import { connect, readConfiguration } from "../../provider/credentials";
import { kinds } from "../../provider/kinds/kinds";
import { kindNames } from "../../inventory/kinds";
import type { KeyedObject } from "../../inventory/objects";
import { type PlatformInventory, readInventory } from "../../inventory/platform";
import { capabilitiesOf } from "../../inventory/snapshot-of";
import { command, jsonOption, several } from "../shell/command";
import { printDocument } from "../documents/document";
import type { ExportDocument } from "../documents/export";
import { exitCode, UsageError } from "../shell/exit-codes";
import { groupNamed } from "../shell/lookup";
import { Progress } from "../shell/progress";
import type { Format } from "./format";
import { type Managed, managedObjects } from "./managed";
import { ownDependency } from "./own-package";
import { type Program, programOf } from "./program";
import { declaresGroup, projectFiles } from "./project";
import { importFilesOf } from "./protection";
import { documentOf, summary } from "./result";
import { type KnownRole, surroundingsOf } from "./surroundings";
import { takeOver } from "./take-over";
import { requireEmpty, writeProject } from "./write-project";
import { inYaml } from "./yaml";

interface Options {
  root?: string;
  out?: string;
  format: Format;
  onlyUnmanaged?: true;
  stack?: string[];
  state?: string[];
  import?: string | true;
  protect: boolean;
  json?: true;
}

/** Writes an organisation as a program. */
export const exportCommand = command("export", {
  summary: "an organisation as a program, and its objects in a stack",
  description:
    "Writes a group and everything below it as a Pulumi program that declares it as it is: files that follow the tree, references\n" +
    "by variable, roles by name, stable logical names. Beside it, import.json puts the objects into a state. Reads only.\n" +
    "Address and credentials come from the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on), not from a stack.\n" +
    "Guide: docs/commands/export.md.",
  examples: [
    ["export --root acme/engineering --out engineering", "a program for a group and what is below it"],
    ["export --out acme --import", "the whole organisation, and a stack `main` that has it"],
    ["export --out rest --only-unmanaged --stack acme/prod", "what no program declares yet"],
  ],
  exitCodes: { [exitCode.findings]: "with --import: the stack has the objects, but a preview shows changes" },
})
  .option("--root <UID|PATH>", "the group to export (default: PLATFORM_ORGANIZATION)")
  .option("--out <DIR>", "folder for the program: empty, or new")
  .addOption(
    new Option("--format <FORMAT>", "typescript, or yaml for the native plugin")
      .choices(["typescript", "yaml"])
      .default("typescript"),
  )
  .option("--only-unmanaged", "leave out what the stacks and states manage")
  .option("--stack <STACK>", "with --only-unmanaged: a stack of the program in the working directory; may be repeated", several)
  .option("--state <FILE>", "with --only-unmanaged: output of `pulumi stack export`; may be repeated", several)
  .option("--import [STACK]", "take the objects over into a new stack (default: main), and show that nothing changes")
  .option("--no-protect", "leave out the option `protect`, which groups, identities and control of the root have")
  .addOption(jsonOption("export"))
  .action(run);

async function run(options: Options): Promise<void> {
  const { out, format, json, stack: stacks = [], state: states = [] } = options;
  if (out === undefined) throw new UsageError("Where to? Pass --out DIR.");
  if (options.onlyUnmanaged === undefined && stacks.length + states.length > 0)
    throw new UsageError("--stack and --state need --only-unmanaged.");
  if (options.onlyUnmanaged && stacks.length + states.length === 0)
    throw new UsageError("Managed by what? Pass --stack STACK or --state FILE.");
  await requireEmpty(out);
  const configuration = readConfiguration(undefined, process.env);
  const named = options.root ?? configuration.organization;
  if (named === undefined) throw new UsageError("Which group? Pass --root UID or PATH, or set PLATFORM_ORGANIZATION.");
  const progress = new Progress();
  try {
    progress.update("Reading the organisation");
    const client = connect(configuration);
    const inventory = await readInventory(client, await groupNamed(client, "--root", named));
    requireReadable(inventory);
    const managed = await managedObjects(stacks, states, inventory.root);
    const dependency = await ownDependency(out);
    const { program, files, root } = await exported(client, inventory, managed, { ...options, dependency });
    await writeProject(out, files);
    const stack = options.import === true ? "main" : options.import;
    const changes =
      stack === undefined
        ? undefined
        : await takeOver({ folder: path.resolve(out), format, stack, dependency, imports: importFilesOf(program) }, progress);
    progress.clear();
    if (changes !== undefined) process.exitCode = exitCode.findings;
    const document = documentOf(program, [...files.keys()], { out, format, root, requests: client.requests });
    const imported = stack === undefined ? {} : { imported: { stack, agrees: changes === undefined } };
    if (json) printDocument<ExportDocument>({ ...document, ...imported });
    else process.stdout.write(printable(summary(program, { ...document, ...imported })));
    if (changes !== undefined) process.stderr.write(printable(`The preview shows changes:\n${changes.trim()}\n`));
  } finally {
    progress.clear();
  }
}

/** @throws PlatformError if objects may be missing: a program without them would pass for all of the organisation */
function requireReadable({ unreadable }: PlatformInventory): void {
  const missing = unreadable.filter(({ kind }) => kind !== undefined);
  if (missing.length === 0) return;
  const lines = missing.map(({ what, reason }) => `  ${what}: ${reason}`);
  throw new PlatformError(
    "PERMISSION_DENIED",
    `Nothing was written, because objects may be missing:\n${lines.join("\n")}\nUse an identity that may list them, or pass --root with a group where it may.`,
  );
}

/** The program for what an inventory has. */
async function exported(
  client: PlatformClient,
  { root, objects, around }: PlatformInventory,
  managed: Managed,
  { format, protect, dependency }: Pick<Options, "format" | "protect"> & { dependency: string | undefined },
): Promise<{ program: Program; files: Map<string, string>; root: { uid: string; path?: string } }> {
  const isManaged = ({ kind, uid }: KeyedObject) => managed.objects.has(kind, uid);
  const known = surroundingsOf({
    root,
    objects: [...around.all, ...objects.all],
    builtInRoles: await builtInRoles(client),
    hasAllIdentities: parentOf(root) === undefined,
    managed: objects.all.filter(isManaged),
    removerOf: managed.removerOf,
  });
  const written = format === "yaml" ? inYaml(known) : known;
  const surroundings = protect ? written : { ...written, isProtected: () => false };
  const program = programOf(
    objects.all.filter((object) => !isManaged(object)),
    surroundings,
  );
  const group = objects.get(kindNames.group, root);
  const rootPath = surroundings.pathOf(root);
  const above = parentOf(root);
  const placeAround = declaresGroup(program, root) ? above : root;
  const files = projectFiles(
    program,
    {
      root: { uid: root, path: rootPath, name: group?.name ?? "" },
      around: placeAround === undefined ? undefined : { uid: placeAround, path: surroundings.pathOf(placeAround) },
      knownName: (uid) => surroundings.roleName(uid) ?? surroundings.pathOf(uid),
      dependency,
    },
    format,
  );
  return { program, files, root: { uid: root, ...(rootPath !== undefined && { path: rootPath }) } };
}

/** The built-in roles; undefined if they cannot be read. */
async function builtInRoles(client: PlatformClient): Promise<ReadonlyMap<string, KnownRole> | undefined> {
  try {
    const rows = await client.list(kinds.role.collection, { inRoot: true });
    const builtIn = rows.filter(({ uid }) => isBuiltIn(uid));
    return builtIn.length === 0
      ? undefined
      : new Map(builtIn.map((row) => [row.uid, { name: row.name, ...capabilitiesOf({ value: {}, row }) }]));
  } catch {
    return undefined;
  }
}
