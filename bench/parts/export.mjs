import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withoutPlatform } from "../../scripts/lib/emulator.mjs";
import { checkout, engineHome, stateFolder } from "../../scripts/lib/paths.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, spread, table, target } from "../report/figures.mjs";
import { timed } from "../systems/timed.mjs";

const tool = join(checkout, "dist", "cli", "main.js");
const ROUNDS = 3;

const ways = {
  write: "writing the program",
  "take over": "with `--import`: the engine takes every object over, and a preview with `--refresh` shows no changes",
};

/** `pulumi-platform export` of a whole organisation, and the take-over of its objects into a stack. */
export const exporting = {
  title: "Export",

  async run({ quick, save }) {
    const samples = [];
    const sizes = quick ? { "take over": 90, write: 300 } : { "take over": 2_000, write: 10_000 };
    for (const [way, count] of Object.entries(sizes)) {
      const platform = await EmulatorProcess.start();
      try {
        await platform.fill(count);
        for (let round = 1; round <= (way === "write" ? ROUNDS : 1); round++) {
          await platform.forgetRequests();
          // Fails unless the preview shows no changes.
          const { seconds } = await exported(platform, way === "write" ? [] : ["--import"]);
          samples.push({ way, objects: count, round, seconds, writes: await writesTo(platform) });
          await save({ samples });
        }
      } finally {
        await platform.stop();
      }
    }
    return { samples };
  },

  report({ samples }) {
    return table(
      ["", "objects", "seconds", "writes to the platform"],
      Object.entries(ways).map(([way, title]) => [
        title,
        figure(of(samples, way, "objects")[0] ?? NaN),
        spread(of(samples, way, "seconds")),
        figure(Math.max(0, ...of(samples, way, "writes"))),
      ]),
    );
  },

  targets({ samples = [] }) {
    const [written, taken] = ["write", "take over"].map((way) => of(samples, way, "objects")[0]);
    return [
      target(
        `seconds of export of ${figure(written ?? 10_000)} objects`,
        "at most 30",
        of(samples, "write", "seconds"),
        (number) => number <= 30,
      ),
      target(
        `writes to the platform by a take-over of ${figure(taken ?? 2_000)} that ends without changes`,
        "0",
        of(samples, "take over", "writes"),
        (number) => number === 0,
      ),
    ];
  },
};

function of(samples, way, member) {
  return samples.filter((sample) => sample.way === way).map((sample) => sample[member]);
}

/** Inside the checkout, so that the program resolves the package by its name. */
async function exported(platform, more) {
  const scratch = join(stateFolder, "bench");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "export-"));
  mkdirSync(join(folder, "backend"));
  const env = {
    ...withoutPlatform(process.env),
    ...platform.environment,
    PULUMI_HOME: engineHome,
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  try {
    return await timed("node", [tool, "export", "--out", join(folder, "program"), ...more], { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writesTo(platform) {
  const { requests } = await platform.admin("GET", "requests");
  return requests.filter(({ method, path }) => method !== "GET" && !path.startsWith("/sts/")).length;
}
