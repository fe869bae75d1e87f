import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { role } from "../../../provider/kinds/role";
import { Claims } from "../../../provider/resources/claims/claims";
import { SharedClaims } from "../../../provider/resources/claims/shared-claims";
import { remove } from "../../../provider/resources/delete";
import type { Run } from "../../../provider/resources/run";
import { update } from "../../../provider/resources/update";
import { type ExpectRefused, ownAccess, type Runner } from "../../support/own-access";
import { ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let runner: () => Promise<Runner>;
let expectRefused: ExpectRefused;
let folder: string;

beforeAll(async () => {
  ({ runner, expectRefused } = await ownAccess(fixture));
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "claims-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A caller with two bindings that replace each other, and the runs of two providers of one program: each has a process of its own. */
async function twoProviders() {
  const { place, bind, run } = await runner();
  const owner = (await fixture.platform.objects("roles")).find(({ name }) => name === "owner");
  const custom = { name: fixture.name("role"), capabilities: owner?.["capabilities"] };
  const { uid: roleUid } = await fixture.platform.create("roles", place, custom);
  const processOf = async (pid: number): Promise<Run> => {
    const shared = new SharedClaims({ folder, engine: "127.0.0.1:1", pid, start: 0, isAlive: () => true });
    return run({ claims: new Claims("platform", shared) });
  };
  return {
    bindings: [await bind(place, "owner"), await bind(place, { uid: roleUid })] as const,
    custom: { uid: roleUid, inputs: { ...custom, parentUid: place } },
    processes: [await processOf(1), await processOf(2)] as const,
  };
}

/** Begins `change`, and holds its write back. @returns a function that lets it through and awaits the change */
async function heldBack(change: () => Promise<unknown>): Promise<() => Promise<void>> {
  const [written, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  fixture.proxy.interfere = ({ method }) => {
    if (method === "GET") return undefined;
    fixture.proxy.interfere = () => undefined;
    written.resolve(undefined);
    return released.promise;
  };
  const done = change();
  await Promise.race([written.promise, done]);
  return async () => {
    released.resolve(undefined);
    await done;
  };
}

test("of two bindings that replace each other one stays, although each provider deletes one", async () => {
  const { bindings, processes } = await twoProviders();
  const [one, other] = bindings;
  const release = await heldBack(() => remove(roleBinding, one.uid, one.state, processes[0]));
  await expectRefused(remove(roleBinding, other.uid, other.state, processes[1]));
  await release();
});

test("of two that each provider deletes at the same time, at least one stays", async () => {
  const { bindings, processes } = await twoProviders();
  const deletions = bindings.map(({ uid, state }, index) => remove(roleBinding, uid, state, processes[index] ?? processes[0]));
  const refused = (await Promise.allSettled(deletions)).filter((outcome) => outcome.status === "rejected");
  expect(refused).not.toEqual([]);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "SELF_LOCKOUT" });
});

test("a binding stays while another provider changes the role of the one that replaces it", async () => {
  const { bindings, custom, processes } = await twoProviders();
  const less = { ...custom.inputs, capabilities: ["CAP_IAM_GROUPS_LIST"] };
  const release = await heldBack(() => update(role, custom.uid, custom.inputs, less, processes[0]));
  const [own] = bindings;
  await expectRefused(remove(roleBinding, own.uid, own.state, processes[1]));
  await release();
});

test("a role keeps its capabilities while another provider deletes the binding that replaces it", async () => {
  const { bindings, custom, processes } = await twoProviders();
  const [own] = bindings;
  const release = await heldBack(() => remove(roleBinding, own.uid, own.state, processes[0]));
  const less = { ...custom.inputs, capabilities: ["CAP_IAM_GROUPS_LIST"] };
  await expectRefused(update(role, custom.uid, custom.inputs, less, processes[1]));
  await release();
});

test("a change that was rejected, or withdrawn, leaves what its own process counts on", async () => {
  const { bindings, processes } = await twoProviders();
  const [one, other] = bindings;
  const [run] = processes;
  (await run.selfLockout.beforeDelete(roleBinding, one.uid, one.state)).withdraw();
  await remove(roleBinding, other.uid, other.state, run);
  await expectRefused(remove(roleBinding, one.uid, one.state, run));
});
