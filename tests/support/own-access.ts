import { failureOf, identity, type ResourceFixture, roleBinding, type RunOptions } from "./resource-fixture";

/** Room for deletions that wait for others, and none for a List that lags behind. */
export const ownAccessTiming = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

/** Uids of built-in roles. */
export type RoleUids = Record<"owner" | "viewer" | "editor", string>;

/** Expects that `work` is rejected before anything is written, with `parts` in the message. */
export type ExpectRefused = (work: Promise<unknown>, ...parts: string[]) => Promise<void>;

/** An identity that manages a group of its own, and runs that log in as it. */
export type Runner = Awaited<ReturnType<typeof newRunner>>;

/** What tests of the guard of own access share. */
export async function ownAccess(fixture: ResourceFixture) {
  const [owner, viewer, editor] = await Promise.all(["owner", "viewer", "editor"].map((name) => fixture.platform.role(name)));
  const roleUids: RoleUids = { owner: owner ?? "", viewer: viewer ?? "", editor: editor ?? "" };
  const expectRefused: ExpectRefused = async (work, ...parts) => {
    await fixture.platform.clearRequests();
    const error = await failureOf(work);
    expect(error).toMatchObject({ code: "SELF_LOCKOUT" });
    for (const part of ["Nothing was sent", "another identity", "PLATFORM_ALLOW_SELF_LOCKOUT=true", ...parts])
      expect(error.message).toContain(part);
    expect(await fixture.platform.writes()).toEqual([]);
  };
  return { roleUids, expectRefused, runner: () => newRunner(fixture, roleUids) };
}

async function newRunner(fixture: ResourceFixture, roleUids: RoleUids) {
  const place = await fixture.parent();
  const claimMatch = { issuer: "https://issuer.example", subject: fixture.name("runner") };
  const inputs = { parentUid: place, name: fixture.name("runner"), claimMatch };
  const { uid } = await fixture.colleague(identity, inputs);
  const bind = async (parentUid: string, role: keyof RoleUids | { uid: string }, identityUid = uid) => {
    const state = { parentUid, identityUid, roleUid: typeof role === "string" ? roleUids[role] : role.uid };
    return { state, uid: (await fixture.colleague(roleBinding, state)).uid };
  };
  const run = async (options: RunOptions = {}) => {
    const token = await fixture.platform.apiToken({ identity: uid });
    return fixture.run({ timing: ownAccessTiming, token, caller: { uid }, ...options });
  };
  return { place, uid, inputs, claimMatch, bind, run };
}
