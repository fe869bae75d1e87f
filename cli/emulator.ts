import { Option } from "commander";
import { type EmulatorOptions, startEmulator } from "../emulator";
import { messageOf, PlatformError } from "../provider/client/errors";
import { command } from "./shell/command";
import { UsageError } from "./shell/exit-codes";

/** Serves the emulator until SIGINT or SIGTERM. Prints one line of JSON when it is ready. */
export const emulator = command("emulator", {
  summary: "the platform on this machine, until Ctrl-C",
  description:
    "Serves the platform on 127.0.0.1 until Ctrl-C or SIGTERM. Prints one line of JSON when it is ready:\n" +
    "baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl.",
  examples: [
    ["emulator", "on port 4010, in memory"],
    ["emulator --port 0 --data platform.db", "on a free port, with data that it keeps"],
    ["emulator --seed large", "with an organisation of about 5,000 objects"],
  ],
})
  .option("--port <4010>", "port to serve on; 0 picks a free one (default: 4010)")
  .option("--data <FILE>", "file to keep the data in; its folder must exist (default: in memory only)")
  .addOption(
    new Option("--seed <SIZE>", "what a new organisation holds; no effect on data that is kept")
      .choices(["minimal", "sample", "large"])
      .default("sample"),
  )
  .action(async ({ port = "4010", data, seed }: { port?: string; data?: string; seed: NonNullable<EmulatorOptions["seed"]> }) => {
    if (!/^\d+$/.test(port) || Number(port) > 65_535)
      throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
    const options = { port: Number(port), seed, ...(data !== undefined && { data }) };
    const running = await startEmulator(options).catch((error: unknown) => {
      throw new PlatformError("CONFIGURATION", messageOf(error), { cause: error });
    });
    const { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl } = running;
    const ready = { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
    await new Promise<void>((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    await running.close();
  });
