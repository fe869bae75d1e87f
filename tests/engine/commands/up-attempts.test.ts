import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { runBuilt } from "../../support/cli";
import { claimMatch } from "../programs";
import { Project } from "../project";
import { succeed } from "../succeed";
import { longTest } from "../../support/tier";
import { platform, project, useProject } from "../use-project";

/** Files that the attempts leave. */
let folder = "";
const trace = (name: string) => path.join(folder, name);
/** The credential of the run, in an environment variable. */
let token = "";
/** A server that must not be sent anything. */
let elsewhere: Server;
const heard: string[] = [];

useProject();

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "up-attempts-"));
  mkdirSync(trace("tmp"));
  token = await platform.apiToken();
  delete project.environment["PLATFORM_OIDC_TOKEN_FILE"];
  delete project.environment["PLATFORM_IDENTITY"];
  Object.assign(project.environment, { PLATFORM_TOKEN: token, CI_COPY_OF_TOKEN: token, TMPDIR: trace("tmp") });
  heard.length = 0;
  elsewhere = createServer(({ url = "" }, response) => {
    heard.push(url);
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  elsewhere.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = JSON.stringify;
const run = (...args: string[]) => runBuilt([...args, "--stack", "test"], project.variables, { folder: project.folder });
const rehearse = () => succeed(run("rehearse", "--save", trace("rehearsal.json"), "--continue-on-error", "--skip-preview"));
const up = async (...args: string[]) => {
  const { code, stdout, stderr } = await run("up", "--rehearsed", trace("rehearsal.json"), "--yes", ...args);
  return { code, output: stdout + stderr };
};

/** The name of the role of each binding of `ci`, by the name of its group. */
async function rolesOfCi(): Promise<Record<string, string>> {
  const { uid: ci } = await platform.named("identities", "ci");
  const [roles, groups] = [await platform.objects("roles"), await platform.objects("groups")];
  const own = (await platform.objects("roleBindings")).filter((binding) => text(binding).includes(ci));
  return Object.fromEntries(
    own.map((binding) => [
      groups.find(({ uid }) => uid === binding.uid.split("/").slice(0, -1).join("/"))?.name ?? "",
      roles.find(({ uid }) => text(binding).includes(uid))?.name ?? "",
    ]),
  );
}

/** The facts by which programs tell the real run from the rehearsal. */
const signs = {
  environment: "!process.env.PLATFORM_REHEARSAL",
  credentials: `process.env.PULUMI_CONFIG_PASSPHRASE === "test"`,
  clock: `Date.now() > ${Date.now() + 12 * 3_600_000}`,
  file: `require("node:fs").existsSync(__dirname + "/sign")`,
};

/** Both doors to this package. */
const doors = ["dynamic", "native"] as const;

test("programs that ask for more in the real run get NOT_REHEARSED in either door, whatever they tell it by, and no more access", async () => {
  const { uid: ci } = await platform.create("identities", platform.root, { name: "ci", claimMatch });
  const dist = path.resolve(__dirname, "../../../dist");
  await project.program(`
    const real = !process.env.PLATFORM_REHEARSAL;
    if (real) {
      // The code of the package in the program's own process.
      require(${text(`${dist}/provider/client/bounds.js`)}).bindProcess(undefined);
      require(${text(`${dist}/provider/client/client.js`)}).PlatformClient.prototype.call = () => ({});
      require(${text(`${dist}/rehearse/bounds.js`)}).RehearsedOnly.prototype.within = (client, call, send) => send();
    }
    const lookUp = () => pulumi.runtime.invoke("platform:iam:getRole", { name: "owner" }).then(({ uid }) => uid);
    const signs = { ${Object.entries(signs)
      .map(([name, sign]) => `${name}: ${sign}`)
      .join(", ")} };
    for (const [door, all] of Object.entries({ dynamic: platform, native: require("pulumi-platform/native") })) {
      const bind = (name, role) => {
        const { uid: parentUid } = new all.Group(door + "-" + name, { parentUid: root });
        new all.RoleBinding(door + "-" + name, { parentUid, identityUid: ${text(ci)}, ...role });
      };
      for (const [name, isReal] of Object.entries(signs)) bind(name, { roleName: isReal ? "owner" : "viewer" });
      bind("uid", real ? { roleUid: pulumi.output(lookUp()) } : { roleName: "viewer" });
      bind("preview", { roleName: pulumi.runtime.isDryRun() ? "viewer" : "editor" });
    }`);
  const rehearsed = await rehearse();
  // A rehearsal is an update and no preview.
  expect(rehearsed.stdout).toContain("editor");
  expect(rehearsed.stdout).not.toContain("owner");

  await project.file("sign", "");
  const tomorrow = `const { now } = Date; if (/cmd.run/.test(process.argv[1])) Date.now = () => now() + 86_400_000;`;
  writeFileSync(trace("tomorrow.js"), tomorrow);
  project.environment["NODE_OPTIONS"] = `--require ${trace("tomorrow.js")}`;
  // Another version of the plugin.
  await project.file("bin/pulumi-resource-platform", `#!/bin/sh\ntouch ${trace("plugin")}\n`);
  const { code, output } = await up();
  expect(code).not.toBe(0);
  for (const door of doors)
    for (const name of [...Object.keys(signs), "uid"]) {
      const refusal = `role binding in acme.example/${door}-${name}: this run may only .*its roleUid was viewer and is .*NOT_REHEARSED`;
      expect(output).toMatch(new RegExp(refusal));
    }
  expect(await rolesOfCi()).toEqual({ "dynamic-preview": "editor", "native-preview": "editor" });
  expect(existsSync(trace("plugin"))).toBe(false);
});

/** Code that leaves a file, as the text of a dynamic resource. */
const foreignCode = (file: string) =>
  `exports.handler = () => ({ create: async () => { require("node:fs").writeFileSync(${text(file)}, ""); return { id: "1", outs: {} }; } });`;

/** Starts a rehearsed program that does `attempt` in the real run alone, before the rest. */
async function attempted(attempt: string): Promise<string> {
  const { port } = elsewhere.address() as AddressInfo;
  writeFileSync(trace("token"), token, { mode: 0o600 });
  const settings = {
    baseUrl: { baseUrl: `http://127.0.0.1:${port}`, oidcTokenFile: trace("token") },
    identity: { identity: (await platform.named("identities", "organization-admin")).uid, oidcTokenFile: trace("token") },
    oidcTokenFile: { oidcTokenFile: trace("token") },
    tokenCommand: { tokenCommand: `touch ${trace("command")}` },
  };
  await project.program(`
    const settings = ${text(settings)};
    const code = ${text(foreignCode(trace("text")))};
    const foreign = { create: async () => (require("node:fs").writeFileSync(${text(trace("foreign"))}, ""), { id: "1", outs: {} }) };
    class Foreign extends pulumi.dynamic.Resource { constructor() { super(foreign, "foreign", {}); } }
    const swapped = (args) => ({ props: { ...args.props, __provider: code }, opts: args.opts });
    const by = (name) => {
      for (const [door, all] of Object.entries({ dynamic: platform, native: require("pulumi-platform/native") }))
        new all.Group(\`\${door}-\${name.toLowerCase()}-by\`, { parentUid: root }, { provider: new all.Provider(\`\${door}-\${name}\`, settings[name]) });
    };
    if (!process.env.PLATFORM_REHEARSAL) { ${attempt} }
    else new Group("team", { parentUid: root });`);
  await rehearse();
  const { code, output } = await up();
  expect(code).not.toBe(0);
  for (const name of ["command", "text", "foreign"]) expect([name, existsSync(trace(name))]).toEqual([name, false]);
  expect(heard).toEqual([]);
  expect((await platform.groupNames()).filter((name) => /by$|swapped/.test(name))).toEqual([]);
  return output;
}

const otherCode = "is a dynamic resource of other code than this release of pulumi-platform";

test("another provider, address, token file, command or code is refused by name, and nothing of it runs", async () => {
  const all = `new Foreign(); new Group("swapped", { parentUid: root }, { transforms: [swapped] }); for (const name of Object.keys(settings)) by(name);`;
  // The engine ends the program at the first refusal.
  expect(await attempted(all)).toMatch(new RegExp(`${otherCode}|names another`));
});

longTest.each<[what: string, attempt: string, refusal: string]>([
  ["a dynamic resource of its own", "new Foreign();", otherCode],
  ["another text of a dynamic resource", 'new Group("swapped", { parentUid: root }, { transforms: [swapped] });', otherCode],
  ...["baseUrl", "identity", "oidcTokenFile", "tokenCommand"].map((name): [string, string, string] => {
    return [`a provider with another ${name}`, `by("${name}");`, `names another .*${name}.* than this bound run`];
  }),
])("%s is refused by name, and nothing of it runs", async (_what, attempt, refusal) => {
  expect(await attempted(attempt)).toMatch(new RegExp(refusal));
});

/** Looks for credentials everywhere that a program can look, and uses them. */
const spy = `
  const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
  const read = (file) => { try { return fs.readFileSync(file, "latin1"); } catch { return ""; } };
  const below = (folder) => { try { return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name)); } catch { return []; } };
  const pids = fs.readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
  const places = [...pids.flatMap((pid) => ["environ", "cmdline"].map((name) => "/proc/" + pid + "/" + name)),
    ...[os.tmpdir(), process.env.PULUMI_HOME, process.cwd()].flatMap(below)];
  const texts = [JSON.stringify(process.env), ...places.map(read)];
  const found = [...new Set(texts.flatMap((each) => each.match(/eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+/g) ?? []))];
  const memory = pids.filter((pid) => { try { fs.closeSync(fs.openSync("/proc/" + pid + "/mem", "r")); return /bound-host|up --rehearsed|up.--rehearsed/.test(read("/proc/" + pid + "/cmdline")); } catch { return false; } });
  const hosts = pids.filter((pid) => /bound-host/.test(read("/proc/" + pid + "/cmdline")));`;

test("a program of a bound run finds no credential to use itself, and a second engine run in it gets no more access", async () => {
  const { uid: attacker } = await platform.create("identities", platform.root, { name: "ci", claimMatch });
  const nested = await Project.create(
    `new RoleBinding("more", { parentUid: root, identityUid: ${text(attacker)}, roleName: "owner" });`,
    {},
    "dynamic",
  );
  try {
    const call = `${platform.baseUrl}/iam/v2beta1/roleBindings/${platform.root}`;
    await project.program(`${spy}
      const team = new Group("team", { parentUid: root });
      exports.done = process.env.PLATFORM_REHEARSAL ? 0 : (async () => {
        const body = JSON.stringify({ identityUid: ${text(attacker)}, roleUid: ${text(await platform.role("owner"))} });
        const send = (authorization) => fetch(${text(call)}, { method: "POST", body, headers: { "content-type": "application/json", ...authorization } }).then(({ status }) => status);
        const statuses = await Promise.all([send({}), ...found.map((token) => send({ authorization: "Bearer " + token }))]);
        const { spawnSync } = require("node:child_process");
        const { PULUMI_DEBUG_PROVIDERS, ...others } = process.env;
        const engine = (env) => { const { stdout, stderr } = spawnSync("pulumi", ["up", "--yes", "--skip-preview", "--stack", "test", "--cwd", ${text(nested.folder)}],
          { env: { ...env, PULUMI_BACKEND_URL: ${text(nested.variables["PULUMI_BACKEND_URL"])} }, encoding: "utf8" }); return stdout + stderr; };
        const isRealMonitor = { ...process.env };
        for (const name of Object.keys(isRealMonitor)) if (/^PULUMI_(NODEJS|CONFIG$|CONFIG_SECRET)/.test(name)) { delete isRealMonitor[name]; delete others[name]; }
        fs.writeFileSync(${text(trace("found.json"))}, JSON.stringify({ found, memory, hosts, statuses, attached: engine(isRealMonitor), alone: engine(others), pids: pids.length }));
        return 1;
      })();`);
    await rehearse();
    const { code, output } = await up();
    const found = JSON.parse(readFileSync(trace("found.json"), "utf8")) as Record<string, unknown>;
    expect([code, output.includes("without a sandbox")]).toEqual([0, false]);
    expect(found).toMatchObject({ found: [], memory: [], hosts: [], statuses: [401] });
    expect(found["attached"]).toContain("NOT_REHEARSED");
    expect(found["alone"]).toContain("No credentials");
    expect(await rolesOfCi()).toEqual({});
  } finally {
    await nested.remove();
  }
});
