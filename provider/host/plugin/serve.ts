import schema from "../../../schema.json";
import { endWith } from "../engine-watch";
import { type Construct, PluginProvider } from "./attached";
import { Connections } from "./connections";
import type { ServedFunction } from "./functions";
import { listen } from "../listen";
import { service } from "./service";
import { collectorVariable, exportSpans } from "./spans";

/**
 * Serves the provider to the engine at `address` until the engine ends.
 *
 * @param address `host:port`; empty if a person has started this process
 * @param others data sources declared outside of `provider/`
 * @param construct constructs the components, which are declared outside of `provider/`
 * @returns the port
 */
export async function serve(address: string, others: readonly ServedFunction[], construct: Construct): Promise<number> {
  exportSpans(process.env[collectorVariable] ?? "");
  const providers = new Connections(() => new PluginProvider(address, others, construct));
  endWith(address, () => {
    for (const { plugin } of providers.all) plugin.close();
  });
  return (await listen(service(providers, schema))).port;
}
