import { openRun } from "../../provider/host/session";
import { Plugin } from "../../provider/host/plugin/plugin";
import { FaultProxy } from "../support/fault-proxy";
import { clientOf } from "../support/native-host";
import type { PluginClient } from "../support/plugin-client";
import { TestPlatform } from "../support/test-platform";

/** A platform, a proxy before it, and a plugin in this process that reaches the platform through that. */
export interface PluginOnPlatform {
  platform: TestPlatform;
  proxy: FaultProxy;
  plugin: PluginClient;
}

/** A plugin in this process, configured, which reads the variables of this process as one of its own would. */
export async function newPlugin(): Promise<PluginClient> {
  const plugin = clientOf(() => new Plugin([], (settings) => openRun(settings, process.env)));
  await plugin.configure();
  return plugin;
}

/** Starts all of it anew for each test of a file. */
export function pluginForEach(): PluginOnPlatform {
  const environment = { ...process.env };
  const all = {} as PluginOnPlatform;
  beforeEach(async () => {
    all.platform = await TestPlatform.start();
    all.proxy = await FaultProxy.start(all.platform.baseUrl);
    const addresses = { PLATFORM_BASE_URL: all.proxy.baseUrl, PLATFORM_AUDIENCE: all.platform.baseUrl };
    process.env = { ...environment, ...all.platform.environment, ...addresses };
    all.plugin = await newPlugin();
  });
  afterEach(async () => {
    process.env = environment;
    await all.proxy.close();
    await all.platform.close();
  });
  return all;
}
