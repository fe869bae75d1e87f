import { Option } from "commander";
import { type CopyReport, type EmulatorOptions, startEmulator } from "../emulator";
import { messageOf, PlatformError } from "../provider/client/errors";
import { literal, printable } from "../provider/client/printable";
import { command } from "./shell/command";
import { UsageError } from "./shell/exit-codes";

interface Flags {
  readonly port?: string;
  readonly data?: string;
  readonly seed: NonNullable<EmulatorOptions["seed"]>;
  readonly copyOf?: string;
  readonly hidePeople?: true;
}

/** Serves the emulator until SIGINT or SIGTERM. Prints one line of JSON when it is ready. */
export const emulator = command("emulator", {
  summary: "the platform on this machine, until Ctrl-C",
  description:
    "Serves the platform on 127.0.0.1 until Ctrl-C or SIGTERM. Prints one line of JSON when it is ready:\n" +
    "baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl.\n" +
    "With --copy-of, a copy of an organisation, read with the credentials of the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so\n" +
    "on). The line then also has copy: how exact it is. The token in oidcTokenFile may assume every identity of a copy.",
  examples: [
    ["emulator", "on port 4010, in memory"],
    ["emulator --port 0 --data platform.db", "on a free port, with data that it keeps"],
    ["emulator --seed large", "with an organisation of about 5,000 objects"],
    ["emulator --copy-of acme.example --hide-people", "with a copy of an organisation, without logins of people"],
  ],
})
  .option("--port <4010>", "port to serve on; 0 picks a free one (default: 4010)")
  .option("--data <FILE>", "file to keep the data in; its folder must exist (default: in memory only)")
  .addOption(
    new Option("--seed <SIZE>", "what a new organisation holds; no effect on data that is kept")
      .choices(["minimal", "sample", "large"])
      .default("sample"),
  )
  .addOption(new Option("--copy-of <UID|NAME>", "organisation to copy, instead of --seed; data that is kept is not read again"))
  .option("--hide-people", "in a copy, replace logins and addresses of people by hashes")
  .action(async ({ port = "4010", data, seed, copyOf, hidePeople }: Flags) => {
    if (!/^\d+$/.test(port) || Number(port) > 65_535)
      throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
    if (hidePeople && copyOf === undefined) throw new UsageError("--hide-people is for --copy-of.");
    const options = {
      ...{ port: Number(port), seed },
      ...(data !== undefined && { data }),
      ...(copyOf !== undefined && { copyOf, hidePeople: hidePeople === true }),
    };
    const running = await startEmulator(options).catch((error: unknown) => {
      if (PlatformError.isInstance(error)) throw error;
      throw new PlatformError("CONFIGURATION", messageOf(error), { cause: error });
    });
    const { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl, copy } = running;
    if (copy !== undefined) process.stderr.write(inWords(copy));
    const ready = {
      baseUrl,
      authUrl,
      issuer,
      organization,
      identity,
      oidcTokenFile,
      adminUrl,
      ...(copy && { copy: shownIn(copy) }),
    };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
    await new Promise<void>((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    await running.close();
  });

function shownIn({ inexact, ...copy }: CopyReport): CopyReport {
  return { ...copy, inexact: inexact.map(({ what, reason, kinds }) => ({ what, reason, ...(kinds && { kinds }) })) };
}

/** The copy for people: how exact it is, and how to log in. */
function inWords({ name, objects, inexact }: CopyReport): string {
  const parts = inexact.map(({ what, reason }) => `  ${printable(what)}: ${printable(reason)}\n`);
  const exact = parts.length === 0 ? "every object as the platform shows it" : `not exact:\n${parts.join("").trimEnd()}`;
  return (
    `A copy of ${literal(name)} with ${objects} objects, ${exact}\n` +
    "Log in with the token in oidcTokenFile, as any identity of the copy: PLATFORM_IDENTITY names it.\n"
  );
}
