import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./paths.mjs";

/** The lines of a Pulumi.yaml for a plugin in the folder `bin` beside it. */
export const pluginInBin = "plugins:\n  providers:\n    - name: platform\n      path: bin\n";

/** Writes the launcher of a plugin, by default this checkout's, to the folder `bin` of a project. */
export function writeLauncher(project, name = "platform", plugin = join(checkout, "dist", "cli", "resource-plugin.js")) {
  mkdirSync(join(project, "bin"), { recursive: true });
  const launcher = `#!/usr/bin/env node\nrequire(${JSON.stringify(plugin)});\n`;
  writeFileSync(join(project, "bin", `pulumi-resource-${name}`), launcher, { mode: 0o755 });
}
