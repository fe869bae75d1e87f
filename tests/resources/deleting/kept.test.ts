import type { Kind } from "../../../provider/schema/kind";
import { isDelete, on } from "../../support/interference";
import { failureOf, group, identity, repo, type Resource, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** A department with a team, a repo in the team, and what gives access in the department. */
async function department(policy: object = {}) {
  const dept = await fixture.theirs(group, { parentUid: await fixture.parent() });
  const team = await fixture.theirs(group, { parentUid: dept.uid });
  const images = await fixture.theirs(repo, { parentUid: team.uid, deletionPolicy: undefined, ...policy });
  const ci = await fixture.theirs(identity, { parentUid: dept.uid });
  const binding = await fixture.theirs(roleBinding, { parentUid: dept.uid, identityUid: ci.uid });
  return { dept, team, images, ci, binding };
}

/** A run, and the warnings of groups that keep something. */
function watched() {
  const { run, told } = fixture.told();
  return { run, warnings: () => told.filter((each) => /^warning: group .* keeps a repo/.test(each)) };
}

describe("a run warns, once for each group, that the group keeps a repo which leaves the program", () => {
  test("when the repo leaves, which a plain `destroy` or `up` asks for first", async () => {
    const { team, images, binding, ci } = await department();
    const second = await fixture.theirs(repo, { parentUid: team.uid, deletionPolicy: "retain" });
    const { run, warnings } = watched();
    for (const each of [images, second, binding, ci]) await each.remove(run);
    expect(warnings()).toEqual([expect.stringContaining(team.uid)]);
    for (const way of ["interrupt this run", '`deletionPolicy: "delete"`', "`retainOnDelete`"])
      expect(warnings()[0]).toContain(way);
  });

  test.each(["binding", "ci", "team"] as const)("before it deletes %s, if a refresh has shown the repo", async (name) => {
    const all = await department();
    const { run, warnings } = watched();
    await all.images.refresh(run);
    expect(warnings()).toEqual([]);
    const told: string[][] = [];
    fixture.proxy.interfere = on(isDelete, (forward) => {
      told.push(warnings());
      return forward();
    });
    await all[name].remove(run).catch(() => undefined);
    expect(told[0]).toEqual([expect.stringContaining(all.team.uid)]);
  });

  test.each<[string, object, (all: Awaited<ReturnType<typeof department>>) => Resource[]]>([
    ["the group stays in the program", {}, ({ team, dept }) => [team, dept]],
    ["the repo stays in the program", {}, ({ images }) => [images]],
    ["the repo is deleted", { deletionPolicy: "delete" }, () => []],
  ])("but not where %s", async (_why, policy, declared) => {
    const all = await department(policy);
    const { run, warnings } = watched();
    await all.images.refresh(run);
    for (const each of declared(all)) each.declared(run);
    for (const each of [all.binding, all.images]) await each.remove(run);
    expect(warnings()).toEqual([]);
  });

  test("but not for what is deleted elsewhere, nor for a repo in the root of the organisation", async () => {
    const { images } = await department();
    const other = await fixture.theirs(identity);
    const { run, warnings } = watched();
    await images.refresh(run);
    await other.remove(run);
    await (await fixture.theirs(repo, { parentUid: fixture.platform.root, deletionPolicy: undefined })).remove(run);
    expect(warnings()).toEqual([]);
  });
});

describe("the error of a group that is not empty names only ways out that work:", () => {
  const put = (kind: Kind, parentUid: string) => fixture.theirs(kind, { parentUid });
  const force = "`forceDestroy: true`";

  test.each<[string, (dept: Resource) => Promise<unknown>, boolean]>([
    ["with an identity in it, forceDestroy", (dept) => put(identity, dept.uid), true],
    ["with a group in it, forceDestroy", (dept) => put(group, dept.uid), true],
    ["with a repo in it, not", (dept) => put(repo, dept.uid), false],
    ["with a repo deep in it, not", async (dept) => put(repo, (await put(group, dept.uid)).uid), false],
    ["with a repo beside an identity, not", (dept) => Promise.all([put(repo, dept.uid), put(identity, dept.uid)]), false],
  ])("%s", async (what, fill, canForce) => {
    const dept = await fixture.theirs(group);
    await fill(dept);
    const { message } = await failureOf(dept.remove());
    expect(message.includes(force)).toBe(canForce);
    expect(message).toContain("`retainOnDelete`");
    if (what.includes("repo in") || what.includes("beside"))
      expect(message).toContain("A repo stays when its Repo resource is deleted");
    if (!canForce) return;
    await (await dept.updated({ forceDestroy: true })).remove();
    expect(await dept.exists()).toBe(false);
  });
});
