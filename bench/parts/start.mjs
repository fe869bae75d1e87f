import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { Failure } from "../../scripts/lib/message.mjs";
import { run, runQuietly } from "../../scripts/lib/child.mjs";
import { packPlugin, thisPlatform } from "../../scripts/release/plugin.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { spread, table, target } from "../report/figures.mjs";
import { Project } from "../systems/project.mjs";

const require = createRequire(import.meta.url);
const { credentials } = require("@grpc/grpc-js");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { CheckRequest, ConfigureRequest } = require("@pulumi/pulumi/proto/provider_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

const packages = { product: "pulumi-platform", nothing: "nothing-package" };
const loaded = { sdk: "pulumi-platform", provider: "pulumi-platform/provider" };

/** Start-up time of the provider's host, of the package in a process that has loaded the engine's SDK, and of the plugin as it is released. */
export const start = {
  title: "Start",

  async run({ quick }) {
    const rounds = quick ? 3 : 11;
    const platform = await EmulatorProcess.start();
    const project = await Project.create("nothing", { platform, count: 1 });
    try {
      const host = { product: [], nothing: [] };
      const load = { sdk: [], provider: [] };
      const plugin = { script: [], executable: [] };
      const archives = await unpacked(project.folder);
      for (let round = 0; round < rounds; round++) {
        for (const system of Object.keys(host)) host[system].push(await firstAnswer(project, platform, packages[system]));
        for (const entry of Object.keys(load)) load[entry].push(await requireTime(project, loaded[entry]));
        for (const form of Object.keys(plugin)) plugin[form].push(await pluginStart(archives[form]));
      }
      return { host, load, plugin };
    } finally {
      await project.close();
      await platform.stop();
    }
  },

  report({ host, load, plugin }) {
    const rows = [
      ["host start to its first answer, ours", host.product],
      ["host start to its first answer, idle provider", host.nothing],
      ["`require` of pulumi-platform, in a process that has @pulumi/pulumi", load.sdk],
      ["`require` of pulumi-platform/provider, likewise", load.provider],
      ["start of the plugin to its address, the script on Node.js", plugin.script],
      ["start of the plugin to its address, the executable", plugin.executable],
    ];
    return table(
      ["", "milliseconds"],
      rows.map(([what, values]) => [what, spread(values)]),
    );
  },

  targets({ host, load, plugin }) {
    const ratios = plugin.executable.map((milliseconds, round) => milliseconds / plugin.script[round]);
    const excess = host.product.map((milliseconds, round) => milliseconds - host.nothing[round]);
    return [
      target(
        "host start to its first answer: milliseconds more than an idle provider",
        "at most 100",
        excess,
        (ms) => ms <= 100,
        "the package takes 95 of them, a third of that zod; the check of a new object sends a request, for which undici takes 60",
      ),
      target("milliseconds of `require` of pulumi-platform", "at most 100", load.sdk, (ms) => ms <= 100),
      target("start of the plugin's executable over its script's", "at most 1.2", ratios, (ratio) => ratio <= 1.2),
    ];
  },
};

/** Milliseconds from the start of Pulumi's provider host to its answer to the first check of a group. */
async function firstAnswer(project, { organization }, name) {
  const started = performance.now();
  const child = spawn("node", [require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), "127.0.0.1:1"], {
    cwd: project.folder,
    env: project.environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]);
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await answered((done) => client.configure(new ConfigureRequest().setArgs(Struct.fromJavaScript({})), done));
    const inputs = {
      parentUid: organization,
      name: "first",
      __provider: `exports.handler = () => require("${name}/provider").group`,
    };
    const request = new CheckRequest().setNews(Struct.fromJavaScript(inputs)).setOlds(Struct.fromJavaScript({}));
    const response = await answered((done) => client.check(request, done));
    const milliseconds = performance.now() - started;
    client.close();
    const [failure] = response.getFailuresList();
    if (failure) throw new Failure(`The host rejected the group: ${failure.getReason()}`);
    return milliseconds;
  } finally {
    child.kill("SIGKILL");
  }
}

/** The programs in the archives of the plugin, unpacked as by the engine. */
async function unpacked(folder) {
  const { archives } = await packPlugin(folder, "0.0.0", { scripts: [""], executables: [thisPlatform] });
  const programs = [];
  for (const archive of archives) {
    const content = join(folder, `plugin-${programs.length}`);
    mkdirSync(content);
    await runQuietly("tar", "tar", ["-xzf", archive, "-C", content]);
    programs.push(join(content, "pulumi-resource-platform"));
  }
  return { script: programs[0], executable: programs[1] };
}

/** Milliseconds from the start of the plugin to the line with its port. */
async function pluginStart(program) {
  const started = performance.now();
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    await once(createInterface(child.stdout), "line");
    return performance.now() - started;
  } finally {
    child.kill("SIGKILL");
  }
}

async function requireTime(project, name) {
  const script = `require("@pulumi/pulumi"); const t = performance.now(); require(${JSON.stringify(name)}); console.log(performance.now() - t);`;
  const { code, output } = await run("node", ["-e", script], { cwd: project.folder, env: project.environment, capture: true });
  if (code !== 0) throw new Failure(`require of ${name} failed:\n${output}`);
  return Number(output);
}

function answered(call) {
  return new Promise((resolve, reject) => {
    call((error, response) => (error ? reject(error) : resolve(response)));
  });
}
