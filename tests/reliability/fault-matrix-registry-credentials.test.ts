import { readFile } from "node:fs/promises";
import type { Timing } from "../../provider/client/retry";
import { claimsOf } from "../../provider/credentials/jwt";
import { dynamically } from "../../provider/host/dynamic";
import { openRun } from "../../provider/host/session";
import { registryCredentialsLife } from "../../provider/resources/registry-credentials/life";
import { FaultProxy } from "../support/fault-proxy";
import { TestPlatform } from "../support/test-platform";
import { longTimeouts, shortTimeouts } from "../support/timeouts";
import { documentedCombinations } from "./documented-counts";
import { type Duration, durations, type Fault, faults, inject } from "./faults";

const platform = TestPlatform.forFile();
let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await FaultProxy.start(platform.baseUrl);
});
afterEach(async () => {
  await platform.clearFaults();
  await proxy.close();
});

const registry = "registry.example.com";
const exchange = { ordinal: 0, method: "GET", path: "/sts/exchange", query: new URLSearchParams(), token: "" };
const possible = faults.filter(({ on }) => on?.(exchange) ?? true);
const combinations = possible.flatMap((fault) =>
  durations.map((duration): [string, Duration, Fault] => [fault.name, duration, fault]),
);

/** The provider of one command of the engine. */
async function provider(timing: Timing) {
  const settings: Record<string, string> = {
    "platform:baseUrl": proxy.baseUrl,
    "platform:audience": platform.baseUrl,
    "platform:identity": platform.identity,
    "platform:oidcTokenFile": platform.oidcTokenFile,
  };
  const served = dynamically(registryCredentialsLife, (settings) => openRun(settings, {}, { timing }));
  await served.configure({ config: { get: (key) => settings[key] } });
  return served;
}

const mustSucceed = (fault: Fault, duration: Duration) => fault.isHarmless ?? (duration === "once" && fault.healed(exchange));

/** The outcome of `work` under `fault`; once more with time to spare, should a deadline have passed on a busy machine. */
async function under<Result>(fault: Fault, duration: Duration, work: (timing: Timing) => Promise<Result>) {
  let outcome: { result?: Result; error?: Error } = {};
  for (const timeouts of [{ ...shortTimeouts, ...(duration === "for good" && { budgetMs: 600 }) }, longTimeouts]) {
    await proxy.close();
    proxy = await FaultProxy.start(platform.baseUrl);
    const injected = await inject(fault, { ordinal: 0, nth: 0 }, duration, { platform, move: () => Promise.resolve() }, proxy);
    outcome = await work(timeouts).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: error as Error }),
    );
    expect(await injected.wasMet()).toBe(true);
    await platform.clearFaults();
    if (outcome.error === undefined || !mustSucceed(fault, duration)) break;
  }
  await proxy.close();
  proxy = await FaultProxy.start(platform.baseUrl);
  return outcome;
}

async function expectGood({ result, error }: { result?: { outs?: object }; error?: Error }, fault: Fault, duration: Duration) {
  if (error === undefined) {
    const { password } = result?.outs as { password: string };
    expect(claimsOf(password)).toMatchObject({ aud: [registry], sub: platform.identity });
    return;
  }
  if (mustSucceed(fault, duration)) throw new Error(`${fault.name} should be healed`, { cause: error });
  expect(error.message).toContain(registry);
  expect(`${fault.name}: ${error.message}`).toMatch(
    duration === "for good" ? new RegExp(`${fault.cause.source}|no complete response`) : fault.cause,
  );
  expect(error.message).not.toContain((await readFile(platform.oidcTokenFile, "utf8")).trim());
  expect(error.stack).toBe("");
}

test.each(combinations)(
  "create and update under %s, %s: a good token, or an error that names registry and cause",
  async (_name, duration, fault) => {
    const inputs = { registry };
    const made = await under(fault, duration, async (timing) => (await provider(timing)).create(inputs));
    await expectGood(made, fault, duration);
    const { id, outs } = made.result ?? (await (await provider(longTimeouts)).create(inputs));
    const updated = await under(fault, duration, async (timing) =>
      (await provider(timing)).update(id, outs, { registry, username: "puller" }),
    );
    await expectGood(updated, fault, duration);
  },
);

test("a read, a diff and a delete ask nothing, so no fault reaches them", async () => {
  const served = await provider(longTimeouts);
  const { id, outs } = await served.create({ registry });
  const { length } = proxy.asked;
  await served.read(id, outs);
  await served.diff(id, outs, { registry });
  await served.delete(id, outs);
  expect(proxy.asked).toHaveLength(length);
});

test("docs/contributing/reliability.md says how many combinations there are", () => {
  expect(documentedCombinations().get("registry credentials")).toBe(combinations.length);
});
