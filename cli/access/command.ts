import { Option } from "commander";
import { command, jsonOption } from "../shell/command";
import type { AccessDocument } from "../documents/access";
import { printDocument } from "../documents/document";
import { exitCode, UsageError } from "../shell/exit-codes";
import { groupNamed } from "../shell/lookup";
import { connection, organizationOf, settingsText, stackOption } from "../shell/settings";
import { drawGrants } from "./grants";
import { readAccess, readTree } from "./read";
import { markFailed } from "./lost";
import { drawTree } from "./tree";

interface Options {
  root?: string;
  /** The name of `root` in 0.1. */
  organization?: string;
  identity?: string;
  group?: string;
  why?: true;
  json?: true;
  stack?: string;
}

/** Shows who can do what: the organisation as a tree, what one identity can do, or who can do what in one group. */
export const access = command("access", {
  summary: "the organisation as a tree, with who has which role where; or all roles of an identity or in a group",
  description:
    "Prints an organisation as a tree: its groups, the identities in each with how they authenticate, and what gives roles there:\n" +
    "role bindings, external group role mappings, default roles of identity providers, invites and account associations.\n" +
    "With --root, roles given above that group come first, because they apply there too.\n" +
    "With --identity or --group, prints every role that the identity has, or that applies to the group, including inherited ones.\n" +
    settingsText,
  examples: [
    ["access", "the whole organisation as a tree"],
    ["access --root acme/shop", "the tree below a group"],
    ["access --identity acme/ci --why", "what an identity can do, and through what"],
    ["access --identity zoe@acme.example", "what a person can do"],
    ["access --group acme/shop --json", "who can do what in a group, for programs"],
  ],
  exitCodes: {
    [exitCode.ok]: "done; parts that these credentials may not read are named",
    [exitCode.failed]: "failed, or a List failed, so that roles or logins may be missing",
  },
})
  .option("--root <GROUP>", "uid or path of the group to start at (default: PLATFORM_ORGANIZATION)")
  .option(
    "--identity <IDENTITY>",
    "an identity: what it can do, and where (uid, path, e-mail address of a person, or 'https://issuer subject')",
  )
  .option("--group <GROUP>", "uid or path of a group: who can do what in it")
  .option("--why", "with --identity or --group: say what grants each role, what it allows and how its holder logs in")
  .addOption(stackOption())
  .addOption(jsonOption("access"))
  .addOption(new Option("--organization <GROUP>", "former name of --root").conflicts("root").hideHelp())
  .action(async ({ organization, root: top = organization, identity, group, why, json, stack }: Options) => {
    const modes = Object.entries({ root: top, identity, group }).flatMap(([name, value]) => (value === undefined ? [] : name));
    if (modes.length > 1) throw new UsageError(`Pass only one of --${modes.join(" and --")}.`);
    if (why && identity === undefined && group === undefined) throw new UsageError("--why needs --identity or --group.");
    const connected = await connection(stack);
    const { configuration, client } = connected;
    if (identity !== undefined || group !== undefined) {
      const { head, shown, access, hasFailed } = await readAccess(connected, identity, group);
      markFailed(access, hasFailed);
      if (json) printDocument<AccessDocument>(access);
      else process.stdout.write(drawGrants({ head, shown, ...access, why: why === true }));
      return;
    }
    const root = top === undefined ? organizationOf(configuration, "--root") : await groupNamed(client, "--root", top);
    const { access, hasFailed, ...drawn } = await readTree(client, root);
    markFailed(access, hasFailed);
    if (json) printDocument<AccessDocument>(access);
    else process.stdout.write(`${drawTree({ root, ...drawn })}\n`);
  });
