import { parseArgs } from "node:util";
import { startEmulator } from "../emulator";

/** Serves the emulator until SIGINT or SIGTERM; one line of JSON on stdout says that it is ready (DESIGN §9). */
export async function emulator(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { port: { type: "string", default: "4010" }, data: { type: "string" } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not ${JSON.stringify(values.port)}.`);
  const running = await startEmulator({ port, ...(values.data !== undefined && { data: values.data }) });
  const { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl } = running;
  const ready = { baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await running.close();
}
