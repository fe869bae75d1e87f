import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Unreadable } from "../../access/snapshot";
import { PlatformError } from "../../provider/client/errors";
import { list, literal } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { above } from "../../rehearse/packages";
import { configuredIn, exportedState, referredStacks, type StackSource } from "../../rehearse/private-stack";
import {
  isStorage,
  plainConfiguration,
  plainState,
  programPath,
  projectName,
  projectPackages,
  projectRuntime,
  selectedStack,
  stackFile,
  backendAddress,
  verifyBackend,
} from "../shell/stack";
import { yaml } from "../shell/yaml";

/** A stack to copy, and what a copy of it cannot show. */
interface Read {
  readonly source: StackSource;
  readonly notes: readonly Unreadable[];
}

/** Reads a stack with its secrets. @throws PlatformError `CONFIGURATION` */
export async function readStack(named: string | undefined): Promise<Read> {
  // The program of a rehearsal gets no token, and neither does the backend that its author names.
  verifyBackend();
  const stack = named ?? (await selectedStack());
  const project = projectName();
  if (project === undefined)
    throw new PlatformError("CONFIGURATION", "No Pulumi project here. Run the command in the folder of the program.");
  if (stack === undefined)
    throw new PlatformError("CONFIGURATION", "No stack is selected. Pass --stack, or select one with `pulumi stack select`.");
  const [configured, state, backend] = await Promise.all([plainConfiguration(stack), plainState(stack), backendAddress()]);
  const exported = exportedState(state);
  const referred = await Promise.all(
    referredStacks(exported).map(async (name) => [name, exportedState(await plainState(name))] as const),
  );
  const name = stack.split("/").at(-1) ?? stack;
  const organization = isStorage(backend) ? undefined : organizationIn(stack);
  const source = {
    ...{ project, stack: name, state: exported, configured: configuredIn(configured), referred: new Map(referred) },
    packages: projectPackages(),
    ...(organization !== undefined && { organization }),
  };
  const unnamed = isStorage(backend) || organization !== undefined ? [] : [ofOrganization(backend)];
  return { source, notes: [...ofEnvironments(name), ...unnamed, ...ofRelease(programPath())] };
}

/** Environments of the stack's file give the run variables that only the service knows. */
function ofEnvironments(stack: string): Unreadable[] {
  const file = stackFile(stack);
  const document =
    file === undefined ? undefined : (yaml().parse(readFileSync(file, "utf8")) as { environment?: unknown } | null);
  const environments = document?.environment;
  if (environments === undefined || environments === null) return [];
  const names = Array.isArray(environments)
    ? environments.map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    : ["an own one"];
  return [
    {
      what: `what the environment ${list(names)} of the stack's file sets`,
      reason: "a rehearsal runs without the service that keeps it. Set its values in the stack's configuration instead",
    },
  ];
}

/** The organisation that a program sees in a rehearsal; undefined if the real run would show another one. */
function organizationIn(stack: string): string | undefined {
  const [organization, ...others] = stack.split("/");
  // Programs in other languages get it in another way.
  return others.length > 0 && projectRuntime() === "nodejs" ? organization : undefined;
}

function ofOrganization(backend: string): Unreadable {
  return {
    what: "what the program does with the name of its organisation",
    reason:
      `the stack is on ${backend}, while its copy is in a folder, where \`getOrganization()\` is "organization". For a program in ` +
      "Node.js, pass --stack ORGANISATION/PROJECT/STACK",
  };
}

/** The classes of the program come from its own `node_modules`. */
function ofRelease(program: string): Unreadable[] {
  const file = above(program)
    .map((each) => path.join(each, "node_modules", "pulumi-platform", "package.json"))
    .find((each) => existsSync(each));
  const installed = file === undefined ? undefined : (JSON.parse(readFileSync(file, "utf8")) as { version?: string }).version;
  if (installed === undefined || installed === version) return [];
  return [
    {
      what: "what the program declares",
      reason: `it uses pulumi-platform ${literal(installed)}, but this command is ${version}. Rehearse with the release that the program uses`,
    },
  ];
}
