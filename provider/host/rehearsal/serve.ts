import schema from "../../../schema.json";
import { acceptRehearsal, rehearsal, rehearsalVariable } from "../../client/rehearsal";
import { PlatformError } from "../../client/errors";
import { PluginProvider, type RunsFor, runsFor } from "../plugin/attached";
import { Connections } from "../plugin/connections";
import type { ServedFunction } from "../plugin/functions";
import { listen } from "../listen";
import { service } from "../plugin/service";
import { ConnectedDynamicProvider, type DynamicType } from "./dynamic-provider";
import { dynamicService } from "./dynamic-service";
import { providerText, unknownIdentity } from "./identity";
import { Report } from "./report";

/**
 * Serves the resources of both doors to the engine of a rehearsal, which attaches to this process.
 *
 * @param others data sources declared outside of `provider/`
 * @param types the dynamic resources of this package, by the type in the URN
 * @returns the ports by package
 * @throws PlatformError `CONFIGURATION` without a rehearsal
 */
export async function serveRehearsal(
  others: readonly ServedFunction[],
  types: ReadonlyMap<string, DynamicType>,
): Promise<Record<"platform" | "pulumi-nodejs", number>> {
  acceptRehearsal();
  if (rehearsal() === undefined) throw new PlatformError("CONFIGURATION", `${rehearsalVariable} is not set.`);
  const report = new Report();
  const runs: RunsFor = (engine) => (settings) => {
    const reason = unknownIdentity(settings);
    if (reason !== undefined) report.undecided(providerText(settings), reason);
    return runsFor(engine)(settings);
  };
  const unclear = (error: Error) => report.undecided("a provider", error.message);
  const native = new Connections(() => new PluginProvider("", others, runs), unclear);
  const dynamic = new Connections(() => new ConnectedDynamicProvider(types, report, runs), unclear);
  const [served, ofNode] = await Promise.all([listen(service(native, schema)), listen(dynamicService(dynamic))]);
  return { platform: served.port, "pulumi-nodejs": ofNode.port };
}
