import { Facts } from "../../../provider/resources/ledger/facts";
import { Journal } from "../../../provider/resources/ledger/journal";
import type { Run } from "../../../provider/resources/run/run";
import { OwnAccess } from "../../support/own-access";
import { ResourceFixture } from "../../support/resource-fixture";
import { scratchFolder } from "../../support/scratch-folder";

const fixture = ResourceFixture.forFile();
let folder: string;

const own = OwnAccess.forFile(fixture);
beforeEach(() => {
  folder = scratchFolder();
});

/** A caller with two bindings that replace each other, and the runs of two providers of one program: each has a process of its own. */
async function twoProviders() {
  const { place, role, bind, run } = await own.runner();
  const custom = await role(own.owned);
  const processOf = (pid: number): Promise<Run> =>
    run({ facts: new Facts("platform", new Journal({ folder, engine: "127.0.0.1:1", pid, stateOf: () => "running" })) });
  return {
    bindings: [await bind(place, "owner"), await bind(place, custom.uid)] as const,
    custom,
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

const less = { capabilities: ["CAP_IAM_GROUPS_LIST"] };

test("of two bindings that replace each other one stays, although each provider deletes one", async () => {
  const { bindings, processes } = await twoProviders();
  const [one, other] = bindings;
  const release = await heldBack(() => one.remove(processes[0]));
  await own.expectRefused(other.remove(processes[1]));
  await release();
});

test("of two that each provider deletes at the same time, at least one stays", async () => {
  const { bindings, processes } = await twoProviders();
  const deletions = bindings.map((each, index) => each.remove(processes[index]));
  const refused = (await Promise.allSettled(deletions)).filter((outcome) => outcome.status === "rejected");
  expect(refused).not.toEqual([]);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "SELF_LOCKOUT" });
});

test("a binding stays while another provider changes the role of the one that replaces it", async () => {
  const { bindings, custom, processes } = await twoProviders();
  const release = await heldBack(() => custom.update(less, processes[0]));
  await own.expectRefused(bindings[0].remove(processes[1]));
  await release();
});

test("a role keeps its capabilities while another provider deletes the binding that replaces it", async () => {
  const { bindings, custom, processes } = await twoProviders();
  const release = await heldBack(() => bindings[0].remove(processes[0]));
  await own.expectRefused(custom.update(less, processes[1]));
  await release();
});

test("a binding does not get a role that another provider changes", async () => {
  const { bindings, custom, processes } = await twoProviders();
  const release = await heldBack(() => custom.update(less, processes[0]));
  const [{ kind, uid, inputs }] = bindings;
  const change = { olds: inputs, news: { ...inputs, roleUid: custom.uid }, differing: ["roleUid"] };
  await own.expectRefused(processes[1].selfLockout.beforeUpdate(kind, uid, change), "CAP_");
  await release();
});

test("a change that was rejected, or withdrawn, leaves what its own process counts on", async () => {
  const { bindings, processes } = await twoProviders();
  const [{ kind, uid, inputs }, other] = bindings;
  const [run] = processes;
  (await run.selfLockout.beforeDelete(kind, uid, inputs)).withdraw();
  await other.remove(run);
  await own.expectRefused(bindings[0].remove(run));
});
