import { startEmulator } from "../emulator";
import { UsageError, type Command } from "./command";

/** Serves the emulator until SIGINT or SIGTERM; one line of JSON on stdout says that it is ready (DESIGN §9). */
export const emulator: Command = {
  summary: "the platform on this machine, until Ctrl-C",
  description:
    "Serves the platform on 127.0.0.1 until Ctrl-C or SIGTERM. One line of JSON says that it is ready, and where:\n" +
    "baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl.",
  options: {
    port: { value: "4010", meaning: "port to serve on, 0 for a free one (default: 4010)" },
    data: { value: "FILE", meaning: "file that keeps the data, in a folder that exists (default: in memory, gone at the end)" },
  },
  async run({ port = "4010", data }) {
    if (!/^\d+$/.test(port) || Number(port) > 65_535)
      throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
    const running = await startEmulator({ port: Number(port), ...(data !== undefined && { data }) });
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
