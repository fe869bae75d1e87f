import { createBody } from "../../provider/schema/request-body";
import { remove } from "../../provider/resources/object/delete";
import { check } from "../../provider/resources/object/check";
import type { Inputs } from "../../provider/schema/kind";
import { declare, digestOf, expectFailure, group, repo, ResourceFixture, tag } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

/** A repo of a name and no more. */
const aRepo = (more: Inputs = {}) =>
  fixture.made(repo, { description: undefined, aliases: undefined, deletionPolicy: undefined, ...more });

const reasons = (kind: typeof repo | typeof tag, inputs: Inputs) =>
  check({ kind, olds: {}, news: inputs }, fixture.run()).failures.map(({ reason }) => reason);

describe("a repo", () => {
  test("sends sync_config under its literal key, and never deletionPolicy", () => {
    const inputs = { parentUid: "a", name: "r", deletionPolicy: "delete", sync_config: { source: "nginx" } };
    expect(createBody(repo, inputs)).toEqual({ name: "r", sync_config: { source: "nginx" } });
  });

  test("keeps the declared source in state while the platform answers with the same uid; another uid is drift and is repaired", async () => {
    const [one, other] = [await aRepo(), await aRepo()];
    const source = one.inputs["name"];
    const copy = await aRepo({ sync_config: { source } });
    expect(copy.outs).toMatchObject({ sync_config: { source }, sourceUid: one.uid });
    expect((await copy.refreshed()).outs).toEqual(copy.outs);
    expect(copy.diff().changes).toBe(false);

    await copy.byHand({ sync_config: { source: other.uid } });
    expect((await copy.refresh())?.inputs["sync_config"]).toEqual({ source: other.uid });
    const seen = await copy.refreshed();
    expect(seen.diff().changes).toBe(true);
    expect(await seen.update()).toMatchObject({ sync_config: { source }, sourceUid: one.uid });
    expect(await copy.stored()).toMatchObject({ sync_config: { source: one.uid } });
  });

  test("with another source is not adopted: a name does not show that it is the same repo", async () => {
    const one = await aRepo();
    const inputs = { parentUid: await fixture.parent(), name: fixture.name("repo") };
    await fixture.colleague(repo, inputs, { sync_config: { source: one.uid } });
    const declared = (source: string) => ({ ...inputs, adopt: true, sync_config: { source } });
    await expectFailure(
      declare(repo, declared(String(one.inputs["name"])), fixture.run()),
      "KEY_TAKEN",
      `the platform has sync_config {"source":"${one.uid}"`,
    );
    expect((await declare(repo, declared(one.uid), fixture.run())).outs).toMatchObject({ sourceUid: one.uid });
  });

  test("that is synchronised takes what the program omits from its source, without a difference", async () => {
    const one = await aRepo({ description: "from the source", bundles: ["base"] });
    const copy = await aRepo({ sync_config: { source: one.uid } });
    expect(copy.outs["description"]).toBe("from the source");
    const filled = { bundles: ["fips"], aliases: ["a:1"], catalogTier: "CATALOG_TIER_BASE" };
    await copy.byHand(filled);
    const seen = await copy.refreshed();
    expect(seen.outs).toMatchObject(filled);
    expect(seen.diff().changes).toBe(false);
  });

  test("that is not synchronised has drift in the same fields", async () => {
    const plain = await aRepo();
    await plain.byHand({ bundles: ["fips"] });
    const seen = await plain.refreshed();
    expect(seen.diff().changes).toBe(true);
    expect(await seen.update()).not.toHaveProperty("bundles");
    expect(await plain.stored()).toMatchObject({ bundles: [] });
  });

  test("has every member of a custom overlay; defaults in answers are no difference, and what is added by hand is drift", async () => {
    const customOverlay = {
      contents: { packages: ["bash", "curl"], runtimeKeyring: [{ name: "k", content: "-----BEGIN\nKEY-----\n" }] },
      environment: { EMPTY: "", LINES: "a\nb" },
      annotations: { team: "shop" },
      accounts: { runAs: "app", users: [{ username: "app", uid: 1000 }], groups: [{ groupname: "app", members: ["app"] }] },
      certificates: { additional: [{ name: "ca", content: "-----BEGIN\nCA-----\n" }], providers: ["one"] },
    };
    const made = await aRepo({ customOverlay });
    expect(await made.stored()).toMatchObject({
      customOverlay: { ...customOverlay, accounts: { users: [{ username: "app", uid: 1000, shell: "" }] } },
    });
    for (const omitDefaults of [true, false]) {
      await fixture.platform.settings({ omitDefaults });
      expect((await made.refreshed()).diff().changes).toBe(false);
    }
    await made.byHand({ customOverlay: { contents: { packages: ["curl", "bash", "nc"] } } });
    const seen = await made.refreshed();
    expect(seen.diff().changes).toBe(true);
    await seen.update();
    expect(await made.stored()).toMatchObject({ customOverlay: { contents: { packages: ["bash", "curl"] } } });
  });

  test("is checked before anything is sent", () => {
    const base = { parentUid: "a", name: "r" };
    expect(reasons(repo, { ...base, aliases: ["nginx"] })).toEqual([
      'aliases.0 must be a name and a tag, such as "nginx:latest"',
    ]);
    expect(reasons(repo, { ...base, activeTags: ["-x"] })).toHaveLength(1);
    expect(reasons(repo, { ...base, catalogTier: "BASE" })).toEqual([
      'catalogTier must be the name of a catalog tier, such as "CATALOG_TIER_APPLICATION"',
    ]);
    expect(reasons(repo, { ...base, deletionPolicy: "keep" })).toEqual(['deletionPolicy must be "retain" or "delete"']);
    expect(reasons(repo, { ...base, syncConfig: { source: "x" } })).toEqual([
      '"syncConfig" is not an argument of repo; did you mean "sync_config"?',
    ]);
  });
});

describe("a deleted resource", () => {
  test("keeps its repo unless it says otherwise, and tells so and how to delete it; its group is then blocked, with the same advice", async () => {
    const { run, told: notices } = fixture.told();
    const parentUid = await fixture.parent();
    const { id, outs } = await declare(repo, { parentUid, name: "kept" }, fixture.run());
    expect(outs).not.toHaveProperty("deletionPolicy");
    await fixture.platform.clearRequests();
    await remove(repo, id, outs, run);
    expect(await fixture.platform.writes()).toEqual([]);
    expect(await fixture.children(repo, parentUid)).toHaveLength(1);
    expect(notices).toEqual([
      expect.stringContaining(`group ${parentUid} keeps a repo`),
      expect.stringContaining(`repo "kept" (${id})`),
    ]);
    for (const notice of notices) expect(notice).toContain('`deletionPolicy: "delete"`');
    await expectFailure(
      remove(group, parentUid, {}, run),
      "FAILED_PRECONDITION",
      'blocked by repo "kept"',
      "A repo stays when its Repo resource is deleted",
    );
  });

  test.each([["retain"], ["delete"]])("with the policy %s changes only the state when the policy changes", async (policy) => {
    const made = await aRepo();
    expect(made.diff({ deletionPolicy: policy })).toMatchObject({ changes: true, replaces: [] });
    const after = await made.updated({ deletionPolicy: policy });
    expect(await fixture.platform.writes()).toEqual([]);
    for (const each of [after, await after.refreshed()]) expect(each.outs["deletionPolicy"]).toBe(policy);
    await after.remove();
    expect(await made.exists()).toBe(policy === "retain");
  });
});

describe("a tag", () => {
  const place = () => fixture.place(tag);
  const aTag = (more: Inputs = {}) => fixture.made(tag, { deletionPolicy: undefined, ...more });

  test("of somebody else is never overwritten: the List is asked right before, and hidden names count", async () => {
    for (const name of ["latest", "1-20260101", "1-r3", "sha256-abc"]) {
      const repoUid = await place();
      const theirs = await fixture.colleague(tag, { repoUid, name, digest: digestOf("b") });
      await fixture.platform.clearRequests();
      await expectFailure(declare(tag, { repoUid, name, digest: digestOf("a") }, fixture.run()), "KEY_TAKEN", theirs.uid);
      expect(await fixture.platform.writes()).toEqual([]);
    }
  });

  test("is not created where the List is forbidden, since that could overwrite one", async () => {
    const repoUid = await place();
    await fixture.platform.fault({ method: "GET", path: "/tags$" }, { status: 403, code: 7 }, { times: 0 });
    await expectFailure(declare(tag, { repoUid, name: "x", digest: digestOf("a") }, fixture.run()), "PERMISSION_DENIED");
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("whose create was lost on the way is created once, and one that was applied is taken back", async () => {
    for (const reset of ["before", "after"]) {
      const repoUid = await place();
      await fixture.platform.fault({ method: "POST", path: "/tags/" }, { reset });
      await declare(tag, { repoUid, name: "x", digest: digestOf("a") }, fixture.run());
      expect(await fixture.children(tag, repoUid)).toHaveLength(1);
      await fixture.platform.clearFaults();
    }
  });

  test("moves by a POST of everything; what the program dropped is cleared; its time is never in state", async () => {
    const made = await aTag({ deprecated: true, bundles: ["base"] });
    expect(made.outs).toEqual(made.inputs);
    const { repoUid, name } = made.inputs;
    const change = { digest: digestOf("b"), deprecated: undefined, bundles: undefined };
    expect(await made.update(change)).toEqual({ repoUid, name, digest: digestOf("b") });
    expect(await made.stored()).toMatchObject({ digest: digestOf("b"), deprecated: false, bundles: [] });
  });

  test("that was deleted is not made again by an update", async () => {
    const made = await aTag();
    await made.deletedByHand();
    await expectFailure(made.update({ digest: digestOf("b") }), "NOT_FOUND");
    expect(await fixture.children(tag, made.place)).toEqual([]);
  });

  test("adopted without a digest moves by pushes without a difference, and an update keeps where it is", async () => {
    const inputs = { repoUid: await place(), name: "latest" };
    await expectFailure(declare(tag, inputs, fixture.run()), "INVALID_INPUT", "digest is missing, and no such tag exists");
    await fixture.colleague(tag, { ...inputs, digest: digestOf("a") });
    const adopted = await aTag({ ...inputs, digest: undefined, adopt: true });
    expect(adopted.outs).toEqual(inputs);
    await adopted.byHand({ digest: digestOf("c") });
    expect((await adopted.refreshed()).outs).toEqual(adopted.outs);
    await adopted.update({ deprecated: true });
    expect(await adopted.stored()).toMatchObject({ digest: digestOf("c"), deprecated: true });
  });

  test("that is declared with a digest has drift when it moves", async () => {
    const made = await aTag();
    await made.byHand({ digest: digestOf("c") });
    expect((await made.refreshed()).diff()).toMatchObject({ changes: true, replaces: [] });
  });

  test("is checked before anything is sent", () => {
    const base = { repoUid: "a", name: "x" };
    expect(reasons(tag, { ...base, name: "-x", digest: digestOf("a") })).toHaveLength(1);
    expect(reasons(tag, { ...base, digest: "latest" })[0]).toContain("digest must be");
    expect(reasons(tag, base)).toEqual([]);
  });
});
