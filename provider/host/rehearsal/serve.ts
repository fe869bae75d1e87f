import schema from "../../../schema.json";
import { bounds } from "../../client/bounds";
import { acceptRehearsal, rehearsal, rehearsalVariable } from "../../client/rehearsal";
import { PlatformError } from "../../client/errors";
import { type Construct, PluginProvider, type RunsFor, runsFor } from "../plugin/attached";
import { Connections } from "../plugin/connections";
import type { ServedFunction } from "../plugin/functions";
import { listen } from "../listen";
import { service } from "../plugin/service";
import { boundSettings } from "./bound-settings";
import { ConnectedDynamicProvider, type DynamicType } from "./dynamic-provider";
import { dynamicService } from "./dynamic-service";
import { providerText, unknownIdentity } from "./identity";
import { Report } from "./report";

/** The served data sources, components and types, which are declared outside of `provider/`. */
interface Declared {
  /** Data sources. */
  readonly functions: readonly ServedFunction[];
  /** Constructs the components. */
  readonly construct: Construct;
  /** The dynamic resources of this package, by the type in the URN. */
  readonly types: ReadonlyMap<string, DynamicType>;
}

/**
 * Serves the resources of both doors to the engine of a rehearsal, which attaches to this process.
 *
 * @returns the ports by package
 * @throws PlatformError `CONFIGURATION` without a rehearsal
 */
export async function serveRehearsal(declared: Declared): Promise<Ports> {
  acceptRehearsal();
  if (rehearsal() === undefined) throw new PlatformError("CONFIGURATION", `${rehearsalVariable} is not set.`);
  const report = new Report();
  const runs: RunsFor = (engine) => (settings) => {
    const reason = unknownIdentity(settings);
    if (reason !== undefined) report.undecided(providerText(settings), reason);
    return runsFor(engine)(settings);
  };
  const unclear = (error: Error) => report.undecided("a provider", error.message);
  return serveBoth(declared, { report, runs, unclear });
}

/**
 * Serves the resources of both doors to the engine of a bound run, which attaches to this process. Every provider has the address, the
 * identity and the credentials of this process.
 *
 * @returns the ports by package
 * @throws PlatformError `CONFIGURATION` if this process has no limits
 */
export async function serveBound(declared: Declared): Promise<Ports> {
  if (bounds() === undefined) throw new PlatformError("CONFIGURATION", "This process has no limits.");
  const runs: RunsFor = (engine) => (settings) => runsFor(engine)(boundSettings(settings, process.env));
  // The engine shows each refusal.
  const report = new Report(() => undefined);
  return serveBoth(declared, { report, runs, unclear: () => undefined });
}

/** Ports by package. */
type Ports = Record<"platform" | "pulumi-nodejs", number>;

interface Serving {
  readonly report: Report;
  readonly runs: RunsFor;
  readonly unclear: (error: Error) => void;
}

async function serveBoth({ functions, construct, types }: Declared, { report, runs, unclear }: Serving): Promise<Ports> {
  const native = new Connections(() => new PluginProvider("", functions, construct, runs), unclear);
  const dynamic = new Connections(() => new ConnectedDynamicProvider(types, report, runs), unclear);
  const [served, ofNode] = await Promise.all([listen(service(native, schema)), listen(dynamicService(dynamic))]);
  return { platform: served.port, "pulumi-nodejs": ofNode.port };
}
