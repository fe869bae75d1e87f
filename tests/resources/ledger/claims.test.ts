import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Claims } from "../../../provider/resources/ledger/claims";
import { SharedClaims, type SharedClaimsOptions } from "../../../provider/resources/ledger/shared-claims";
import { remove } from "../../../provider/resources/object/delete";
import { declare, expectFailure, group, ResourceFixture, roleBinding } from "../../support/resource-fixture";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "claims-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const groups = { segment: "groups" };
const identities = { segment: "identities" };
const platform = "https://api.example";
const living = new Set([1, 2, 3]);

function processOf(options: Partial<SharedClaimsOptions> = {}): SharedClaims {
  const isAlive = (pid: number) => living.has(pid);
  return new SharedClaims({ folder: path.join(folder, "claims"), engine: "127.0.0.1:1", pid: 1, start: 0, isAlive, ...options });
}

test("a process knows what another of the same engine claimed, before and after it started", () => {
  const early = new Claims(platform, processOf({ pid: 1 }));
  early.add(groups, "a/b", { mustShare: true });
  const late = new Claims(platform, processOf({ pid: 2 }));
  late.add(groups, "a/c", { mustShare: true });
  expect([late.has(groups, "a/b"), early.has(groups, "a/c")]).toEqual([true, true]);
  early.add(groups, "a/e");
  expect([late.has(groups, "a/e"), late.has(groups, "a/b")]).toEqual([true, true]);
  expect([late.has(identities, "a/b"), late.has(groups, "a"), late.has(groups, "a/d")]).toEqual([false, false, false]);
});

test("another engine, another platform, and a process that has ended claim nothing: a delete must not be skipped", () => {
  const writer = processOf({ pid: 1 });
  new Claims(platform, writer).add(groups, "a/b", { mustShare: true });
  const asks = (options: Partial<SharedClaimsOptions>, address = platform) =>
    new Claims(address, processOf({ pid: 2, ...options })).has(groups, "a/b");
  expect(asks({})).toBe(true);
  expect(asks({ engine: "127.0.0.1:2" })).toBe(false);
  expect(asks({}, "https://other.example")).toBe(false);
  // The same id, used again.
  expect(asks({ pid: 1, start: 1 })).toBe(false);
  new Claims(platform, writer).add(groups, "a/b", { mustShare: true });
  expect(asks({})).toBe(true);
  writer.close();
  expect(asks({})).toBe(false);
  expect(readdirSync(path.join(folder, "claims"))).toEqual([]);
  new Claims(platform, processOf({ pid: 1 })).add(groups, "a/b", { mustShare: true });
  const reader = new Claims(platform, processOf({ pid: 2, isAlive: () => false }));
  expect(reader.has(groups, "a/b")).toBe(false);
  expect(readdirSync(path.join(folder, "claims"))).toEqual([]);
});

test("the claims of another host, whose processes cannot be seen from here, are removed by age alone", () => {
  new Claims(platform, processOf({ pid: 1 })).add(groups, "a/b", { mustShare: true });
  const startElsewhere = () => processOf({ host: "elsewhere", isAlive: () => false });
  startElsewhere();
  expect(new Claims(platform, processOf({ pid: 2 })).has(groups, "a/b")).toBe(true);
  const [file = ""] = readdirSync(path.join(folder, "claims"));
  const longAgo = Date.now() / 1_000 - 2 * 86_400;
  utimesSync(path.join(folder, "claims", file), longAgo, longAgo);
  startElsewhere();
  expect(readdirSync(path.join(folder, "claims"))).toEqual([]);
});

test("a create keeps its object in the state where the claims of other processes cannot be read", async () => {
  const fixture = await ResourceFixture.start();
  try {
    writeFileSync(path.join(folder, "claims"), "not a folder");
    const claims = new Claims(platform, processOf());
    const parentUid = await fixture.parent();
    const { id } = await declare(group, { parentUid, name: "team" }, fixture.run({ claims }));
    expect((await fixture.children(group, parentUid)).map(({ uid }) => uid)).toEqual([id]);
  } finally {
    await fixture.close();
  }
});

test("files hold no name and no uid", () => {
  new Claims(platform, processOf()).add(groups, "a/b", { mustShare: true });
  expect(readdirSync(path.join(folder, "claims"))).toEqual([expect.stringMatching(/^[0-9a-f]{64}-[0-9a-f]{64}-1-0$/)]);
});

test("what cannot be shared must not be taken over; other claims still count here", () => {
  writeFileSync(path.join(folder, "claims"), "a file where the folder should be");
  const claims = new Claims(platform, processOf());
  expect(() => {
    claims.add(groups, "a/b", { mustShare: true });
  }).toThrow(/cannot be written .*It is left unchanged/);
  expect(() => claims.has(groups, "a/b")).toThrow(/cannot be read .*It is left unchanged/);
  claims.add(groups, "a/c");
  expect(claims.has(groups, "a/c")).toBe(true);
});

test("a role binding that one provider deletes while another one claims it stays in state", async () => {
  const fixture = await ResourceFixture.start();
  try {
    const inputs = await fixture.inputs(roleBinding, await fixture.parent());
    const { uid } = await fixture.colleague(roleBinding, inputs);
    const [other, shared] = [new Claims(platform, processOf({ pid: 1 })), processOf({ pid: 2 })];
    const add = shared.add.bind(shared);
    shared.add = (claim) => {
      add(claim);
      // The delete has just said that the binding leaves: the other provider sees that, and gives the binding up.
      other.add(roleBinding.collection, uid, { mustShare: true });
    };
    const deleting = remove(roleBinding, uid, inputs, fixture.run({ claims: new Claims(platform, shared) }));
    await expectFailure(deleting, "FAILED_PRECONDITION");
    expect(await fixture.platform.writes()).toEqual([]);
  } finally {
    await fixture.close();
  }
});
