import { createBody } from "../../provider/schema/request-body";
import { remove } from "../../provider/resources/object/delete";
import { diff } from "../../provider/resources/object/diff";
import { refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { check } from "../../provider/resources/object/check";
import type { Inputs } from "../../provider/schema/kind";
import { declare, digestOf, expectFailure, group, repo, ResourceFixture, tag } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

async function aRepo(more: Inputs = {}) {
  const run = fixture.run();
  const inputs = { parentUid: await fixture.parent(), name: fixture.name("repo"), ...more };
  return { run, inputs, ...(await declare(repo, inputs, run)) };
}

const reasons = (kind: typeof repo | typeof tag, inputs: Inputs) =>
  check(kind, {}, inputs, fixture.run()).failures.map(({ reason }) => reason);

describe("a repo", () => {
  test("sends sync_config under its literal key, and never deletionPolicy", () => {
    const inputs = { parentUid: "a", name: "r", deletionPolicy: "delete", sync_config: { source: "nginx" } };
    expect(createBody(repo, inputs)).toEqual({ name: "r", sync_config: { source: "nginx" } });
  });

  test("keeps the declared source in state while the platform answers with the same uid; another uid is drift and is repaired", async () => {
    const [one, other] = [await aRepo(), await aRepo()];
    const source = one.inputs.name;
    const { id, inputs, outs } = await aRepo({ sync_config: { source } });
    expect(outs).toMatchObject({ sync_config: { source }, sourceUid: one.id });
    expect((await refresh(repo, id, outs, fixture.run()))?.props).toEqual(outs);
    expect(diff({ kind: repo, uid: id, olds: outs, news: inputs }, fixture.run()).changes).toBe(false);

    await fixture.platform.change("repos", id, { sync_config: { source: other.id } });
    const seen = await refresh(repo, id, outs, fixture.run());
    expect(seen?.inputs["sync_config"]).toEqual({ source: other.id });
    expect(diff({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run()).changes).toBe(true);
    const repaired = await update({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run());
    expect(repaired).toMatchObject({ sync_config: { source }, sourceUid: one.id });
    expect(await fixture.platform.named("repos", inputs.name)).toMatchObject({ sync_config: { source: one.id } });
  });

  test("with another source is not adopted: a name does not show that it is the same repo", async () => {
    const one = await aRepo();
    const inputs = { parentUid: await fixture.parent(), name: fixture.name("repo") };
    await fixture.colleague(repo, inputs, { sync_config: { source: one.id } });
    const declared = (source: string) => ({ ...inputs, adopt: true, sync_config: { source } });
    await expectFailure(
      declare(repo, declared(one.inputs.name), fixture.run()),
      "KEY_TAKEN",
      `the platform has sync_config {"source":"${one.id}"`,
    );
    expect((await declare(repo, declared(one.id), fixture.run())).outs).toMatchObject({ sourceUid: one.id });
  });

  test("that is synchronised takes what the program omits from its source, without a difference", async () => {
    const one = await aRepo({ description: "from the source", bundles: ["base"] });
    const { id, inputs, outs } = await aRepo({ sync_config: { source: one.id } });
    expect(outs["description"]).toBe("from the source");
    await fixture.platform.change("repos", id, { bundles: ["fips"], aliases: ["a:1"], catalogTier: "CATALOG_TIER_BASE" });
    const seen = await refresh(repo, id, outs, fixture.run());
    expect(seen?.props).toMatchObject({ bundles: ["fips"], aliases: ["a:1"], catalogTier: "CATALOG_TIER_BASE" });
    expect(diff({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run()).changes).toBe(false);
  });

  test("that is not synchronised has drift in the same fields", async () => {
    const { id, inputs, outs } = await aRepo();
    await fixture.platform.change("repos", id, { bundles: ["fips"] });
    const seen = await refresh(repo, id, outs, fixture.run());
    expect(diff({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run()).changes).toBe(true);
    expect(await update({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run())).not.toHaveProperty(
      "bundles",
    );
    expect((await fixture.platform.named("repos", inputs.name))["bundles"]).toEqual([]);
  });

  test("has every member of a custom overlay; defaults in answers are no difference, and what is added by hand is drift", async () => {
    const customOverlay = {
      contents: { packages: ["bash", "curl"], runtimeKeyring: [{ name: "k", content: "-----BEGIN\nKEY-----\n" }] },
      environment: { EMPTY: "", LINES: "a\nb" },
      annotations: { team: "shop" },
      accounts: { runAs: "app", users: [{ username: "app", uid: 1000 }], groups: [{ groupname: "app", members: ["app"] }] },
      certificates: { additional: [{ name: "ca", content: "-----BEGIN\nCA-----\n" }], providers: ["one"] },
    };
    const { id, inputs, outs } = await aRepo({ customOverlay });
    expect(await fixture.platform.named("repos", inputs.name)).toMatchObject({
      customOverlay: { ...customOverlay, accounts: { users: [{ username: "app", uid: 1000, shell: "" }] } },
    });
    for (const omitDefaults of [true, false]) {
      await fixture.platform.settings({ omitDefaults });
      const seen = await refresh(repo, id, outs, fixture.run());
      expect(diff({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run()).changes).toBe(false);
    }
    await fixture.platform.change("repos", id, { customOverlay: { contents: { packages: ["curl", "bash", "nc"] } } });
    const seen = await refresh(repo, id, outs, fixture.run());
    expect(diff({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run()).changes).toBe(true);
    await update({ kind: repo, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run());
    expect(await fixture.platform.named("repos", inputs.name)).toMatchObject({
      customOverlay: { contents: { packages: ["bash", "curl"] } },
    });
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
      expect.stringContaining(`warning: repo "kept" under ${parentUid} (${id}) is still on the platform`),
    ]);
    expect(notices[0]).toContain('`deletionPolicy: "delete"`');
    await expectFailure(
      remove(group, parentUid, {}, run),
      "FAILED_PRECONDITION",
      'blocked by repo "kept"',
      "A repo stays when its Repo resource is deleted",
    );
  });

  test.each([["retain"], ["delete"]])("with the policy %s changes only the state when the policy changes", async (policy) => {
    const { id, inputs, outs } = await aRepo();
    const news = { ...inputs, deletionPolicy: policy };
    expect(diff({ kind: repo, uid: id, olds: outs, news }, fixture.run())).toMatchObject({ changes: true, replaces: [] });
    await fixture.platform.clearRequests();
    const after = await update({ kind: repo, uid: id, olds: outs, news }, fixture.run());
    expect(await fixture.platform.writes()).toEqual([]);
    expect(after["deletionPolicy"]).toBe(policy);
    expect((await refresh(repo, id, after, fixture.run()))?.props["deletionPolicy"]).toBe(policy);
    await remove(repo, id, after, fixture.run());
    expect(await fixture.children(repo, inputs.parentUid)).toHaveLength(policy === "retain" ? 1 : 0);
  });
});

describe("a tag", () => {
  const place = () => fixture.place(tag);

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
    const run = fixture.run();
    const inputs = { repoUid: await place(), name: "x", digest: digestOf("a"), deprecated: true, bundles: ["base"] };
    const { id, outs } = await declare(tag, inputs, run);
    expect(outs).toEqual(inputs);
    const news = { repoUid: inputs.repoUid, name: "x", digest: digestOf("b") };
    expect(await update({ kind: tag, uid: id, olds: outs, news }, run)).toEqual(news);
    expect(await fixture.children(tag, inputs.repoUid)).toMatchObject([
      { uid: id, digest: digestOf("b"), deprecated: false, bundles: [] },
    ]);
  });

  test("that was deleted is not made again by an update", async () => {
    const run = fixture.run();
    const inputs = { repoUid: await place(), name: "x", digest: digestOf("a") };
    const { id, outs } = await declare(tag, inputs, run);
    await fixture.platform.delete("tags", id);
    await expectFailure(update({ kind: tag, uid: id, olds: outs, news: { ...inputs, digest: digestOf("b") } }, run), "NOT_FOUND");
    expect(await fixture.children(tag, inputs.repoUid)).toEqual([]);
  });

  test("adopted without a digest moves by pushes without a difference, and an update keeps where it is", async () => {
    const inputs = { repoUid: await place(), name: "latest" };
    await expectFailure(declare(tag, inputs, fixture.run()), "INVALID_INPUT", "digest is missing, and no such tag exists");
    const { uid } = await fixture.colleague(tag, { ...inputs, digest: digestOf("a") });
    const { outs } = await declare(tag, { ...inputs, adopt: true }, fixture.run());
    expect(outs).toEqual(inputs);
    await fixture.platform.change("tags", uid, { digest: digestOf("c") });
    expect((await refresh(tag, uid, outs, fixture.run()))?.props).toEqual(outs);
    await update({ kind: tag, uid, olds: outs, news: { ...inputs, deprecated: true } }, fixture.run());
    expect(await fixture.children(tag, inputs.repoUid)).toMatchObject([{ digest: digestOf("c"), deprecated: true }]);
  });

  test("that is declared with a digest has drift when it moves", async () => {
    const inputs = { repoUid: await place(), name: "stable", digest: digestOf("a") };
    const { id, outs } = await declare(tag, inputs, fixture.run());
    await fixture.platform.change("tags", id, { digest: digestOf("c") });
    const seen = await refresh(tag, id, outs, fixture.run());
    expect(diff({ kind: tag, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run())).toMatchObject({
      changes: true,
      replaces: [],
    });
  });

  test("is checked before anything is sent", () => {
    const base = { repoUid: "a", name: "x" };
    expect(reasons(tag, { ...base, name: "-x", digest: digestOf("a") })).toHaveLength(1);
    expect(reasons(tag, { ...base, digest: "latest" })[0]).toContain("digest must be the digest of an image");
    expect(reasons(tag, base)).toEqual([]);
  });
});
