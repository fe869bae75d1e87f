import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sandbox } from "../../../rehearse/sandbox";
import { pulumiIn } from "../../support/cli";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { filesWith, ownProcesses, rehearse, startRehearsal, temporary, until, useRehearsals } from "./use-rehearsals";

useRehearsals();

/** At one of its moments the program writes its passphrase to a file, starts a daemon, and waits. */
const program = `
  const waits = (moment) => {
    if (process.env.HOLD !== moment) return;
    const { execFileSync, spawn } = require("node:child_process");
    if (process.env.DAEMON) spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();
    require("node:fs").writeFileSync("held", process.env.PULUMI_CONFIG_PASSPHRASE);
    execFileSync("sleep", ["600"]);
  };
  waits(pulumi.runtime.isDryRun() ? "preview" : "update");
  const password = new pulumi.Config("test").requireSecret("password");
  const eng = new Group("engineering", { parentUid: root });
  new platform.IdentityProvider("sso", {
    parentUid: eng.uid, defaultRoleName: "viewer",
    oidc: { issuer: "https://sso.example", clientId: "client", clientSecret: pulumi.secret("the-client-secret"), additionalScopes: ["email"] },
  }).uid.apply(() => pulumi.runtime.isDryRun() || waits("object"));
  module.exports = { password };`;

useProject(program);

const secrets = ["the-secret-of-the-stack", "the-client-secret", "the-job-token", "the-service-token"];

/** Answers in place of the engine: notes its words, and waits before or after the update if \`HOLD\` says so. */
const engine = () => `echo "$*" >> '${project.folder}/words'
case "$HOLD:$*" in before:*--event-log*) echo > held; exec sleep 600;; esac
'${execFileSync("sh", ["-c", "command -v pulumi"], { encoding: "utf8" }).trim()}' "$@"
code=$?
case "$HOLD:$*" in after:*--event-log*) echo > held; exec sleep 600;; esac
exit $code`;

const inProject = (file: string) => {
  const found = path.join(project.folder, file);
  return existsSync(found) ? readFileSync(found, "utf8") : "";
};
const isThere = (pattern: string) => globSync(`*/${pattern}`, { cwd: temporary }).length > 0;
const isAsked = async (part: string) => (await platform.requests()).some((each) => each.path.includes(part));
const isHeld = () => existsSync(path.join(project.folder, "held"));

/** Moments of a rehearsal: whether it has come, and whether there is a private folder then. */
const moments: readonly (readonly [name: string, isReached: () => boolean | Promise<boolean>, hasFolder: boolean])[] = [
  ["it reads the stack", () => inProject("words").includes("stack export"), false],
  ["it asks the platform", () => isAsked("/"), false],
  ["it lists role bindings", () => isAsked("roleBindings"), false],
  ["its folder is there", () => isThere("alive"), true],
  ["the state is copied", () => isThere("backend/.pulumi/stacks/test/test.json"), true],
  ["before the engine starts", isHeld, true],
  ["preview", isHeld, true],
  ["update", isHeld, true],
  ["object", isHeld, true],
  ["after the engine has ended", isHeld, true],
];

test("killed at ten moments: no plain secret in a file, no process, and the next run removes the folder", async () => {
  await succeed(project.pulumi("config", "set", "--secret", "test:password", secrets[0] ?? ""));
  await succeed(project.up());
  await project.program(program.replace('"engineering"', '"construction"'));
  Object.assign(project.environment, {
    PATH: pulumiIn(project.folder, engine()),
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "the-job-token",
    PULUMI_ACCESS_TOKEN: "the-service-token",
    // A daemon outlives its group, but no sandbox.
    ...(sandbox() !== undefined && { DAEMON: "1" }),
  });
  secrets.push(readFileSync(platform.oidcTokenFile, "utf8").trim());
  const found: object[] = [];
  for (const [moment, isReached, hasFolder] of moments) {
    for (const file of ["words", "held"]) execFileSync("rm", ["-f", path.join(project.folder, file)]);
    await platform.clearRequests();
    const child = startRehearsal({ HOLD: moment.split(" ")[0] ?? "" });
    await until(isReached, child, 5);
    const closed = once(child, "exit");
    child.kill("SIGKILL");
    await closed;
    for (let left = 200; ownProcesses().length > 0 && left > 0; left -= 1) await sleep(100);
    const passphrase = inProject("held").trim();
    const known = [...secrets, ...(passphrase === "" ? [] : [passphrase])];
    found.push({
      moment,
      processes: ownProcesses(),
      plain: known.flatMap((secret) => filesWith(secret)),
      // The run has removed the folder of the one before.
      folders: readdirSync(temporary).length,
      hasPassphrase: passphrase !== "",
    });
    expect(hasFolder).toBe(readdirSync(temporary).length === 1);
  }
  const expected = moments.map(([moment, , hasFolder]) => ({
    moment,
    processes: [],
    plain: [],
    folders: hasFolder ? 1 : 0,
    hasPassphrase: ["preview", "update", "object"].includes(moment),
  }));
  expect(found).toEqual(expected);
  const { errors, undecided } = await rehearse();
  expect({ errors, undecided, left: readdirSync(temporary) }).toEqual({ errors: [], undecided: [], left: [] });
});

test.each(["SIGINT", "SIGKILL"] as const)("a rehearsal without a sandbox leaves no process either: %s", async (signal) => {
  const child = startRehearsal({ HOLD: "preview" }, "--no-sandbox");
  await until(isHeld, child);
  const closed = once(child, "exit");
  child.kill(signal);
  await closed;
  for (let left = 100; ownProcesses().length > 0 && left > 0; left -= 1) await sleep(100);
  expect(ownProcesses()).toEqual([]);
});
