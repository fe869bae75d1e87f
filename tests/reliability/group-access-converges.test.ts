import fc from "fast-check";
import { AccessFixture, type Declared } from "../support/access-fixture";
import { FakeClock } from "../support/fake-clock";
import type { Answer, Interference } from "../support/fault-proxy";
import { notesIn } from "../support/notes";
import { casesOf } from "../support/tier";
import { scratchFolder } from "../support/scratch-folder";

const numRuns = casesOf(5, 100);
const seed = 31;

jest.setTimeout(1_800_000);

const access = AccessFixture.forFile();

const people = ["ann", "bob", "cat", "dan", "eve", "glass"];
const roles = ["owner", "viewer", "editor"];
const exempt = { identities: ["glass"] };

/** Who has which role, as the pairs of an `access`. */
const pairs = fc.uniqueArray(fc.tuple(fc.constantFrom(...people.slice(0, 5)), fc.constantFrom(...roles)), {
  selector: (pair) => pair.join(" "),
  maxLength: 9,
});

/** A change by hand between two runs, which gives or takes a role. */
const byHand = fc.array(fc.record({ isGain: fc.boolean(), who: fc.constantFrom(...people), role: fc.constantFrom(...roles) }), {
  maxLength: 4,
});

/** Every how many requests one fails, and how; none for a run without faults. */
const faults = fc.option(
  fc.record({ every: fc.integer({ min: 2, max: 9 }), is: fc.constantFrom("reset", "lost", "503", "429") }),
);

const lives = fc.record({
  scope: fc.option(fc.subarray(roles, { minLength: 1 }), { nil: undefined }),
  steps: fc.array(fc.record({ declared: pairs, byHand, faults }), { minLength: 2, maxLength: 4 }),
});

function accessOf(declared: readonly (readonly [string, string])[]): Declared["access"] {
  const byRole = Map.groupBy(declared, ([, role]) => role);
  return Object.fromEntries([...byRole].map(([role, members]) => [role, members.map(([who]) => who)]));
}

const answer = (status: number, code: number): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code, message: "injected", details: [] }),
});

function interference(fault: { every: number; is: string } | null): Interference {
  if (fault === null) return () => undefined;
  let count = 0;
  return async (_asked, forward) => {
    if (++count % fault.every !== 0) return forward();
    if (fault.is === "503") return answer(503, 14);
    if (fault.is === "429") return answer(429, 8);
    if (fault.is === "lost") await forward();
    return "reset";
  };
}

/** The writes that changed something, in order. */
async function changes(): Promise<string[]> {
  return (await access.platform.writes())
    .filter(({ path, status }) => path.includes("roleBindings") && status === 200)
    .map(({ method }) => method);
}

test("any sequence of declarations, hands and faults converges: gains are sent before losses, and nothing exempt is removed", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ scope, steps }) => {
      access.fixture.proxy.interfere = () => undefined;
      const stack = await access.stack();
      const [glass, outside] = [await access.bind(stack.groupUid, "glass", "owner"), [] as string[]];
      const isManaged = (role: string) => scope === undefined || scope.includes(role);
      for (const role of roles.filter((each) => !isManaged(each))) outside.push(await access.bind(stack.groupUid, "bob", role));
      for (const step of steps) {
        const declared = step.declared.filter(([, role]) => isManaged(role));
        const program: Declared = { access: accessOf(declared), exempt, adopt: true, ...(scope && { roles: scope }) };
        await access.inputs(stack.groupUid, program);
        for (const { isGain, who, role } of step.byHand) {
          const present = (await access.members(stack.groupUid)).includes(`${who} ${role}`);
          if (who === "glass" || present === isGain || !isManaged(role)) continue;
          if (isGain) await access.bind(stack.groupUid, who, role);
          else await takeByHand(stack.groupUid, who, role);
        }
        access.fixture.proxy.interfere = interference(step.faults);
        // A failed run leaves a state from which the next one goes on.
        await stack.up(program, { refresh: true }).catch(() => undefined);
        access.fixture.proxy.interfere = () => undefined;
        await stack.up(program, { refresh: true });
        await access.platform.clearRequests();
        await stack.up(program, { refresh: true });
        const sent = await changes();
        expect(sent.lastIndexOf("POST")).toBeLessThanOrEqual(sent.includes("DELETE") ? sent.indexOf("DELETE") : Infinity);
        const expected = [...declared.map((pair) => pair.join(" ")), "glass owner"];
        const others = roles.filter((role) => !isManaged(role)).map((role) => `bob ${role}`);
        expect(await access.members(stack.groupUid)).toEqual([...expected, ...others].sort());
        expect(stack.known).toEqual(declared.map((pair) => pair.join(" ")).sort());
        expect(await stack.refresh()).toBe(false);
      }
      await stack.destroy();
      expect(await access.bindings(stack.groupUid)).toEqual([glass, ...outside].sort());
    }),
    { seed, numRuns },
  );
});

async function takeByHand(groupUid: string, who: string, role: string): Promise<void> {
  const member = (await access.membersWithBindings(groupUid)).find(({ name }) => name === `${who} ${role}`);
  await access.platform.delete("roleBindings", member?.binding ?? "");
}

const updates = fc.record({ before: pairs, after: pairs });

test("an update sends every gain before the first loss, and exactly the difference", async () => {
  await fc.assert(
    fc.asyncProperty(updates, async ({ before, after }) => {
      const stack = await access.stack();
      await stack.up({ access: accessOf(before) });
      await access.inputs(stack.groupUid, { access: accessOf(after) });
      await access.platform.clearRequests();
      await stack.up({ access: accessOf(after) });
      const sent = await changes();
      const names = (all: typeof before) => all.map((pair) => pair.join(" "));
      const losses = names(before).filter((each) => !names(after).includes(each));
      expect(sent.filter((method) => method === "DELETE")).toHaveLength(losses.length);
      expect(sent.slice(sent.indexOf("DELETE")).includes("POST")).toBe(sent.includes("DELETE") ? false : sent.includes("POST"));
      expect(await access.members(stack.groupUid)).toEqual(names(after).sort());
    }),
    { seed, numRuns: 2 * numRuns },
  );
});

test("a run that is killed between its batches: the next one takes back what was created, and adds each member once", async () => {
  const folder = scratchFolder();
  const killedClock = new FakeClock();
  const process = (pid: number) =>
    access.fixture.run({ notes: notesIn(folder, { pid }), ...(pid === 1 && { clock: killedClock }) });
  const stack = await access.stack();
  const names = Array.from({ length: 60 }, (_, at) => `crew-${at}`);
  await access.inputs(stack.groupUid, { access: { viewer: names } });
  let batches = 0;
  const killed = new Promise<void>((resolve) => {
    access.fixture.proxy.interfere = async ({ path: asked }, forward) => {
      if (!asked.endsWith(":batchCreate") || ++batches < 2) return forward();
      await forward();
      await killedClock.stop();
      resolve();
      return "silence";
    };
  });
  // Its answer never comes: the state knows nothing of either batch.
  void stack.up({ access: { viewer: names } }, { run: process(1) }).catch(() => undefined);
  await killed;
  access.fixture.proxy.interfere = () => undefined;
  const next = await access.stack(stack.groupUid);
  await next.up({ access: { viewer: names } }, { run: process(2) });
  expect(await access.members(stack.groupUid)).toEqual(names.map((name) => `${name} viewer`).sort());
  expect(next.known).toHaveLength(60);
  expect(await next.refresh()).toBe(false);
  // A run of the stack has both batches now, so nothing of the killed one stops the end.
  await next.destroy(process(3));
  expect(await access.bindings(stack.groupUid)).toEqual([]);
});

test("a run that is killed in an update: the recipe after it, which finds nothing to do, leaves nothing that stops a destroy", async () => {
  const folder = scratchFolder();
  const killedClock = new FakeClock();
  const process = (pid: number) =>
    access.fixture.run({ notes: notesIn(folder, { pid }), ...(pid === 1 && { clock: killedClock }) });
  const stack = await access.brought({ access: { viewer: ["ann"] } });
  const both: Declared = { access: { viewer: ["ann", "bob"] } };
  await access.inputs(stack.groupUid, both);
  const killed = new Promise<void>((resolve) => {
    access.fixture.proxy.interfere = async ({ method }, forward) => {
      if (method !== "POST") return forward();
      await forward();
      await killedClock.stop();
      resolve();
      return "silence";
    };
  });
  const { state } = stack;
  void stack.up(both, { run: process(1) }).catch(() => undefined);
  await killed;
  access.fixture.proxy.interfere = () => undefined;
  stack.state = state;
  await stack.up(both, { run: process(2), refresh: true });
  expect(stack.known).toEqual(["ann viewer", "bob viewer"]);
  await stack.destroy(process(3));
  expect(await access.bindings(stack.groupUid)).toEqual([]);
});
