import { type Change, deletionOf } from "../../provider/resources/guards/change";
import type { Inputs } from "../../provider/schema/kind";
import type { Run } from "../../provider/resources/run/run";
import { expectFailure, identity, role, roleBinding } from "./resource-fixture";
import type { Resource, ResourceFixture, RunOptions } from "./resource-fixture";

/** Room for deletions that wait for others, and none for a List that lags behind. */
export const ownAccessTiming = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

/** The common code of the tests of the guard of own access. */
export class OwnAccess {
  /** Uids of built-in roles. */
  readonly roleUids = { owner: "", viewer: "", editor: "" };
  /** Capabilities of the role `owner`. */
  owned: readonly string[] = [];

  private constructor(readonly fixture: ResourceFixture) {}

  /** For the tests of a file, whose fixture it uses. */
  static forFile(fixture: ResourceFixture): OwnAccess {
    const own = new OwnAccess(fixture);
    beforeAll(async () => {
      for (const { name, uid, capabilities } of await fixture.platform.objects("roles")) {
        if (name in own.roleUids) own.roleUids[name as keyof typeof own.roleUids] = uid;
        if (name === "owner") own.owned = capabilities as string[];
      }
    });
    return own;
  }

  /** Expects that `work` is rejected before anything is written, with `parts` in the message. */
  async expectRefused(work: Promise<unknown>, ...parts: string[]): Promise<void> {
    await this.fixture.platform.clearRequests();
    const ways = ["Nothing was sent", "another identity", "PLATFORM_ALLOW_SELF_LOCKOUT=true"];
    await expectFailure(work, "SELF_LOCKOUT", ...ways, ...parts);
    expect(await this.fixture.platform.writes()).toEqual([]);
  }

  async runner(): Promise<Runner> {
    return runnerOf(this, await this.fixture.theirs(identity, { description: undefined }));
  }
}

/**
 * Begins a change without sending it.
 *
 * @returns whether it ends access of the run
 * @throws PlatformError `SELF_LOCKOUT`
 */
export async function begin(run: Run, change: Change): Promise<boolean> {
  const verdict = await run.guards.ownAccess.before(change);
  if (verdict.is === "stop") throw verdict.error;
  return verdict.is === "go" && verdict.endsOwnAccess === true;
}

/** An update of an object, by the inputs that it changes. */
export function updateOf({ kind, uid, inputs }: Resource, news: Inputs): Change {
  return { is: "update", kind, uid, state: inputs, wanted: { ...inputs, ...news }, differing: Object.keys(news) };
}

/** The deletion of an object. */
export function deletionIn({ kind, uid, inputs }: Resource): Change {
  return deletionOf({ kind, uid, state: inputs });
}

/** An identity that manages a group of its own, and runs that log in as it. */
export type Runner = ReturnType<typeof runnerOf>;

function runnerOf({ fixture, roleUids }: OwnAccess, me: Resource) {
  const { uid, place } = me;
  return {
    place,
    uid,
    me,
    login: me.inputs["claimMatch"] as { issuer: string; subject: string },
    /** Gives it, or another identity, a role: a built-in one by its name, any by its uid. */
    bind: (parentUid: string, role: string, identityUid = uid): Promise<Resource> =>
      fixture.theirs(roleBinding, { parentUid, identityUid, roleUid: (roleUids as Inputs)[role] ?? role }),
    /** Makes a custom role, by default in its group. */
    role: (capabilities: readonly string[], parentUid = place): Promise<Resource> =>
      fixture.theirs(role, { parentUid, capabilities, description: undefined }),
    run: async (options: RunOptions = {}): Promise<Run> =>
      fixture.run({ timing: ownAccessTiming, ...(await fixture.as(uid)), ...options }),
  };
}
