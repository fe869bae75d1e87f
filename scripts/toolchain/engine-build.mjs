import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/child.mjs";
import { goEnvironment, MINIMUM_GO } from "../lib/go.mjs";
import { announce, Failure, say } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { stage } from "./staging.mjs";
import { isAtLeast } from "./version.mjs";

const LAUNCHER = "pulumi-resource-pulumi-nodejs";

/** The two programs, each pinned by a local module. The small one comes first, so that a wrong set-up fails early. */
const PROGRAMS = [
  {
    name: "pulumi-language-nodejs",
    module: "language-nodejs",
    source: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    about: "about half a minute",
    linkerFlags: () => "-s -w",
  },
  {
    name: "pulumi",
    module: "cli",
    source: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    about: "about 5 minutes on 2 cores the first time",
    linkerFlags: (version) => `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`,
  },
];

/**
 * Builds the engine into `<home>/bin`. Uses Go's own caches, so that an interrupted build resumes.
 * @returns {Promise<string | undefined>} the reason of a failure
 */
export async function buildEngine(version, home) {
  const unfit = await goIsUnfit();
  if (unfit) return `the Go build: ${unfit}`;
  say(`The engine is built from Go modules into ${home}/bin, once for all checkouts of this machine.`);
  return stage(home, async (folder) => {
    for (const program of PROGRAMS) {
      const reason = await build(program, version, folder);
      if (reason) return reason;
    }
    // The launcher is a script of the SDK. npm unpacks it without its executable bit.
    copyFileSync(join(checkout, "node_modules", "@pulumi", "pulumi", LAUNCHER), join(folder, LAUNCHER));
    chmodSync(join(folder, LAUNCHER), 0o755);
    return undefined;
  });
}

async function build({ name, module, source, about, linkerFlags }, version, folder) {
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", linkerFlags(version), "-o", join(folder, name), source];
  const options = { cwd: join(checkout, "scripts", "engine", module), env: goEnvironment(), capture: true };
  const { code, output } = await announce(`Engine: building ${name} (${about})`, () => run("go", args, options));
  return code === 0 ? undefined : `the Go build of ${name} failed:\n${output.trim().split("\n").slice(-5).join("\n")}`;
}

/** Why this machine's Go cannot be used; undefined if it can. */
async function goIsUnfit() {
  try {
    const { code, output } = await run("go", ["env", "GOVERSION"], { capture: true, cwd: checkout });
    if (code !== 0) return `\`go env GOVERSION\` failed: ${output.trim()}`;
    const version = output.trim().replace(/^go/, "");
    return isAtLeast(version, MINIMUM_GO) ? undefined : `Go is ${version}, older than ${MINIMUM_GO}`;
  } catch (error) {
    if (error instanceof Failure) return "no `go` on PATH";
    throw error;
  }
}
