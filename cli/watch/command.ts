import type { Server } from "node:http";
import { exitCode } from "../shell/exit-codes";
import { settingsText, warnOfSettings } from "../shell/settings";
import { comparedSources, driftCommand } from "../drift/options";
import { eventsEndpoint, listen, metricsEndpoint } from "./endpoints";
import { warn } from "./lines";
import { Metrics } from "./metrics";
import { driftArguments, numberIn, type Options } from "./options";
import { Rhythm } from "./rhythm";
import { watchOn } from "./watching";
import { secretVariable, Webhook } from "./webhook";

/** Looks for drift repeatedly and reports the changes. */
export const watch = driftCommand("watch", {
  summary: "drift at an interval, with a line per change, until Ctrl-C",
  description:
    "Checks for drift repeatedly until Ctrl-C or SIGTERM, and prints a line when a finding appears, changes or is resolved.\n" +
    "A check that fails, or that cannot read everything, is reported; it resolves only what can be read again.\n" +
    "A check that takes longer than --timeout is ended, and has failed.\n" +
    `${settingsText} Each check reads them again.\n` +
    `${secretVariable}: the secret that deliveries to --webhook are signed with.`,
  examples: [
    ["watch --stack prod", "every five minutes"],
    ["watch --stack prod --metrics-port 9464 --bind 0.0.0.0", "in a container, with metrics for Prometheus"],
    ["watch --stack prod --interval 3600 --listen 8080", "every hour, and whenever the platform sends an event"],
  ],
  exitCodes: {
    [exitCode.ok]: "ended by Ctrl-C or SIGTERM",
    [exitCode.failed]: "failed, or nothing reads its standard output any more",
  },
})
  .option("--interval <SECONDS>", "time between two checks, varied by up to a tenth", "300")
  .option("--timeout <SECONDS>", "longest time of one check, after which it is ended and reported", "600")
  .option("--metrics-port <PORT>", "serve metrics for Prometheus at /metrics; 0 picks a free port")
  .option("--listen <PORT>", "receive the platform's events, and check when one arrives; 0 picks a free port")
  .option("--bind <ADDRESS>", "address that both ports listen on", "127.0.0.1")
  .option("--webhook <URL>", "send changes to this address as JSON, signed")
  .option("--json", "print each change as a line of JSON: schemas/watch.schema.json")
  .action(async (options: Options) => {
    const webhook = options.webhook === undefined ? undefined : new Webhook(options.webhook, process.env[secretVariable]);
    const rhythm = new Rhythm(1000 * numberIn("--interval", options.interval, 1, 604_800));
    const seconds = numberIn("--timeout", options.timeout, 1, 86_400);
    const sources = await comparedSources(options);
    const compared = driftArguments(sources, options);
    await warnOfSettings(sources.settings);
    const metrics = new Metrics();
    const ends = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ends.abort());
    // A reader that stops ends the process. A watch without a reader has failed.
    process.exitCode = exitCode.failed;
    const servers: Server[] = [];
    const serve = async (what: string, option: string, port: string | undefined, listener: Parameters<typeof listen>[0]) => {
      if (port === undefined) return;
      const [server, address] = await listen(listener, option, options.bind, numberIn(option, port, 0, 65_535));
      servers.push(server);
      warn(`${what} at ${address}`);
    };
    const [serveMetrics, takeEvents] = [metricsEndpoint(() => metrics.text), eventsEndpoint(() => rhythm.wake())];
    try {
      await serve("Metrics", "--metrics-port", options.metricsPort, serveMetrics);
      await serve("Events", "--listen", options.listen, takeEvents);
      const isJson = options.json === true;
      await watchOn({ options: compared, isJson, seconds, webhook, rhythm, metrics, signal: ends.signal });
      process.exitCode = exitCode.ok;
    } finally {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    }
  });
