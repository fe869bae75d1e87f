import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/child.mjs";
import { announce, Failure } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { stage } from "./staging.mjs";

const SCRIPT = "https://get.pulumi.com/install.sh";
/** Limits the delay if the host cannot be reached. */
const PROBE_SECONDS = "3";

/**
 * Installs the official release into `<home>/bin` through the SDK's own installer.
 * @returns {Promise<string | undefined>} the reason of a failure
 */
export async function downloadEngine(version, home) {
  const unreachable = await probe();
  if (unreachable) return `the official download: ${unreachable}`;
  return stage(home, async (folder) => {
    const root = `${folder}-root`;
    try {
      const { code, output } = await announce(`Engine: downloading pulumi ${version}`, () =>
        run("node", ["-e", INSTALL, version, root], {
          cwd: checkout,
          capture: true,
          env: { ...process.env, NODE_USE_ENV_PROXY: "1" },
        }),
      );
      if (code !== 0) return `the official download failed:\n${output.trim().split("\n").slice(-5).join("\n")}`;
      rmSync(folder, { recursive: true });
      renameSync(join(root, "bin"), folder);
      return undefined;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
}

const INSTALL = `
  const { PulumiCommand } = require("@pulumi/pulumi/automation");
  const { parse } = require(require.resolve("semver", { paths: [require.resolve("@pulumi/pulumi")] }));
  const [version, root] = process.argv.slice(1);
  PulumiCommand.install({ version: parse(version), root }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
`;

/** Uses curl instead of fetch, because curl obeys the machine's proxy settings, and the installer's script needs it too. */
async function probe() {
  try {
    const { code, output } = await run("curl", ["-fsSLI", "--max-time", PROBE_SECONDS, "-o", "/dev/null", SCRIPT], {
      capture: true,
    });
    return code === 0 ? undefined : output.trim() || `curl ended with ${code}`;
  } catch (error) {
    if (error instanceof Failure) return "no `curl` on PATH";
    throw error;
  }
}
