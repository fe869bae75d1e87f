import { PlatformError } from "../../provider/client/errors";
import { type Configuration, createTokenSource, isExchanged, readConfiguration, settings } from "../../provider/credentials";
import { group } from "../../provider/kinds/group";
import { withoutCredentials } from "../../rehearse/environment";
import { configuredIn } from "../../rehearse/private-stack";
import { processSandbox } from "../../rehearse/sandbox";
import { engineFinding } from "../doctor/findings";
import { engineVersion } from "../doctor/tools";
import type { LedgerDocument } from "../documents/ledger";
import { readLedger } from "../rehearse/ledger-file";
import { readerOf } from "../rehearse/reader";
import { plainConfiguration, projectName, selectedStack } from "../shell/stack";
import { startBoundHost } from "./bound-host";
import { engine } from "./engine";
import { verifyStarting } from "./ledger";

/** A bound run. */
export interface BoundRun {
  /** The file of the rehearsal. */
  readonly file: string;
  /** Undefined: the selected stack. */
  readonly stack: string | undefined;
  /** Whether the engine updates without a question. */
  readonly yes: boolean;
  /** Whether the program may see the other processes of the user. */
  readonly isOpen: boolean;
}

/** Runs the rehearsed command, limited to its ledger. @returns its exit code @throws PlatformError before anything was started */
export async function runBound({ file, stack: named, yes, isOpen }: BoundRun): Promise<number> {
  const ledger = await readLedger(file);
  const [stack, project] = [named ?? (await selectedStack()), projectName()];
  if (stack === undefined || project === undefined)
    throw new PlatformError(
      "CONFIGURATION",
      "No stack of a Pulumi project here. Run the command in its folder, and pass --stack.",
    );
  const attaching = "PULUMI_DEBUG_PROVIDERS";
  if (process.env[attaching])
    throw new PlatformError("CONFIGURATION", `${attaching} is set, so other code could serve the resources. Unset it.`);
  await requireEngine();
  const { connection, standsFor } = readerOf(configuredIn(await plainConfiguration(stack)));
  const { client, configuration } = connection;
  const identity = (await client.caller())?.uid;
  const run = { stack: `${project}/${stack.split("/").at(-1) ?? stack}`, platform: configuration.baseUrl, identity };
  // The first answer has the time of the platform.
  await client.listSome(group.collection, { inRoot: true }, 1);
  verifyStarting(ledger, { ...run, now: client.now() });
  const sandbox = isOpen ? undefined : processSandbox();
  process.stderr.write(notesOn(ledger, sandbox !== undefined));
  const own = withoutCredentials(process.env);
  const { since, calls, objects } = ledger;
  const environment = ofHost(configuration, identity);
  const host = await startBoundHost({ environment, ledger: { since, calls, objects }, origins: standsFor }, own);
  try {
    const words = [...ledger.arguments, "--stack", stack, ...(yes ? ["--yes"] : [])];
    return await engine([...(sandbox ?? []), "pulumi", ...words], {
      ...own,
      ...(await ofProgram(configuration)),
      [attaching]: host.attached,
    });
  } finally {
    await host.end();
  }
}

/** Requires an engine that attaches to a running provider. @throws PlatformError `CONFIGURATION` */
async function requireEngine(): Promise<void> {
  const { status, message, fix = "" } = engineFinding(await engineVersion());
  if (status !== "ok") throw new PlatformError("CONFIGURATION", `Pulumi CLI: ${message} ${fix} Nothing was started.`);
}

/** The variables of the host, which acts as the rehearsed identity. */
function ofHost({ credentials }: Configuration, identity: string | undefined): Record<string, string> {
  const all = { ...process.env, ...(isExchanged(credentials) && { [settings.identity.environment]: identity }) };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The variables with which data sources in the program's process read: a token of the identity that may only read, if there is one. */
async function ofProgram({ credentials }: Configuration): Promise<Record<string, string>> {
  if (!process.env[settings.readOnlyIdentity.environment] || !isExchanged(credentials)) return {};
  const readOnly = { [settings.readOnly.environment]: "true" };
  const reader = readConfiguration(undefined, { ...process.env, ...readOnly });
  return { [settings.token.environment]: await createTokenSource(reader).token(), ...readOnly };
}

/** Facts about the rehearsal that the file itself states. */
function notesOn({ made, commit, errors, undecided }: LedgerDocument, isSandboxed: boolean): string {
  const from = commit === undefined ? "" : `, at commit ${commit}`;
  const lines = [
    `This run may only do what was rehearsed ${made}${from}.`,
    ...(errors.length > 0 ? ["The rehearsal ended with errors, and so may this run."] : []),
    ...(undecided.length > 0 ? ["Not everything could be rehearsed."] : []),
    ...(isSandboxed
      ? []
      : ["The program runs without a sandbox, so it could read credentials in the other processes of this user."]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
