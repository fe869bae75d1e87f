import { startEmulator } from "../emulator";
import { UsageError, type Command } from "./command";

/** Serves the emulator until SIGINT or SIGTERM; prints one line of JSON when it is ready. */
export const emulator: Command = {
  summary: "the platform on this machine, until Ctrl-C",
  description:
    "Serves the platform on 127.0.0.1 until Ctrl-C or SIGTERM. Prints one line of JSON when it is ready:\n" +
    "baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl.",
  options: {
    port: { value: "4010", meaning: "port to serve on; 0 picks a free one (default: 4010)" },
    data: { value: "FILE", meaning: "file to keep the data in; its folder must exist (default: in memory only)" },
  },
  async run({ port = "4010", data }) {
    if (!/^\d+$/.test(port) || Number(port) > 65_535)
      throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
    const running = await startEmulator({ port: Number(port), sample: true, ...(data !== undefined && { data }) });
    const { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl } = running;
    const ready = { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
    await new Promise<void>((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    await running.close();
  },
};
