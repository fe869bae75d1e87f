import { differencesOf } from "../../provider/schema/differences";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { getGroupInvites, getGroups, getIdentities, getRepos, getRoleBindings, getRoles, getTags } from "../../sdk";
import type { KindFixture } from "./kind-fixture";
import { withClient } from "../support/program-client";
import { isList } from "./faults";
import type { Asked } from "../support/fault-proxy";
import { type Session, SingleResource } from "./single-resource";

/** The calls of the engine, or the program, to the provider. */
export type Verb = "create" | "read" | "get" | "update" | "delete" | "list";

/** One life of an object on a platform, up to the step under test. */
export interface Scene {
  stack: SingleResource;
  /** The declarations of the program; undefined if there are none (any more). */
  program: Inputs | undefined;
  /** Uid of the object that the step is about, where it exists. */
  uid?: string | undefined;
  /** The step under test. */
  step: (session: Session) => Promise<unknown>;
  /** The user's repair of a failed step. Default: the step again. */
  repair?: (session: Session) => Promise<unknown>;
  /** Uids that the step may delete. */
  mayDelete?: string[];
  /** True when the object of the state has been deleted behind its back. */
  isGone?: boolean;
  /** The problem of the result of a step that succeeded. */
  complaint?: (result: unknown) => string | undefined;
}

/** A step of an object's life, and how things stand before it. */
export interface Lifecycle {
  verb: Verb;
  name: string;
  /** Kinds it makes sense for. Default: all. */
  suits?: (kind: Kind) => boolean;
  prepare(fixture: KindFixture): Promise<Scene>;
  /** A fault of the platform that the step meets anyway. */
  base?: object;
  /** True on a platform that would accept a duplicate, so that only the provider can prevent one. */
  takesDoubles?: true;
  /** Rows of a List page at most. */
  pageLimit?: number;
  /** The requests at which faults are tried. Default: all but the token's. */
  at?: (asked: Asked) => boolean;
  /** The error of a step that must fail even without a fault. */
  refusal?: RegExp;
}

/** Every step of `stack` in a session without faults. */
type Calm = <Result>(fixture: KindFixture, work: (session: Session) => Promise<Result>) => Promise<Result>;

const everywhere = () => true;

/** The data source of each collection. */
const listed: Record<string, (args: object) => Promise<object>> = {
  groups: getGroups,
  identities: getIdentities,
  roleBindings: getRoleBindings,
  roles: getRoles,
  repos: getRepos,
  tags: getTags,
  groupInvites: getGroupInvites,
};

const isListed = ({ collection }: Kind) => collection.segment in listed;
/** True for kinds of which an object can be recognised: of others two equal ones are two. */
const isRecognised = ({ naturalKey }: Kind) => naturalKey.length > 0;
/** True for kinds with a value that only the answer of the create shows. */
const isShownOnce = ({ fields }: Kind) => Object.values(fields).some(({ traits }) => traits.once);
/** The error about a value that only the lost answer would show. */
export const valueLost = /its response was lost, and with it .*, which no later response shows/;
const answerLost = { match: { method: "POST", path: "^/(iam|registry|events)/" }, fault: { reset: "after" } };
/** True for kinds that a change does not replace. */
const isUpdated = ({ calls }: Kind) => calls.update !== "none";

/** The steps; `calmly` runs what comes before them. */
export function lifecycles(calmly: Calm): Lifecycle[] {
  const creating = async (
    fixture: KindFixture,
    before: (program: Inputs) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Scene> => {
    await fixture.neighbours(1);
    const [stack, program] = [new SingleResource(), await fixture.inputs()];
    await before(program);
    return { stack, program, step: (session) => stack.up(session, program) };
  };
  const having = async (fixture: KindFixture) => {
    await fixture.neighbours(1);
    const [stack, program] = [new SingleResource(), await fixture.inputs()];
    await calmly(fixture, (session) => stack.up(session, program));
    const step = (session: Session) => stack.up(session, program);
    return { stack, program, uid: stack.entry?.id ?? "", step };
  };
  const losing = async (fixture: KindFixture) => {
    const scene = await having(fixture);
    await fixture.platform.delete(fixture.collection, scene.uid);
    // Until it is old enough, how often it is asked for depends on the time.
    await fixture.platform.letTimePass();
    return { ...scene, isGone: true };
  };
  type Had = Scene & { program: Inputs; uid: string };
  /** The preparation, with the step under test. */
  const then =
    (prepared: (fixture: KindFixture) => Promise<Had>, more: (scene: Had, fixture: KindFixture) => Partial<Scene>) =>
    async (fixture: KindFixture): Promise<Scene> => {
      const scene = await prepared(fixture);
      return { ...scene, ...more(scene, fixture) };
    };
  const refreshed = ({ stack }: Scene) => ({ step: (session: Session) => stack.refresh(session) });
  const destroyed = ({ stack, uid = "" }: Scene) => ({
    program: undefined,
    step: (session: Session) => stack.destroy(session),
    mayDelete: [uid],
  });
  const updated = ({ stack }: Scene, program: Inputs | undefined) => ({
    program,
    step: (session: Session) => stack.up(session, program ?? {}),
  });
  const listing = async (fixture: KindFixture): Promise<Scene> => {
    const rows = await fixture.neighbours(7);
    fixture.moving.add(rows[3]?.uid ?? "");
    const [stack, lasting] = [new SingleResource(), rows.map((row) => row.uid).filter((uid) => !fixture.moving.has(uid))];
    return {
      stack,
      program: undefined,
      step: ({ client }) =>
        withClient(client, () => {
          const list = listed[fixture.collection] ?? (() => Promise.reject(new Error("no such List")));
          return list({ childrenOf: fixture.parent, pageSize: 2 });
        }),
      complaint: (result) => {
        const seen = Object.values(result as Record<string, { uid: string }[]>).flatMap((rows) => rows.map((row) => row.uid));
        if (new Set(seen).size < seen.length) return "a row came twice";
        const missing = lasting.filter((uid) => !seen.includes(uid));
        return missing.length > 0 ? `rows are missing: ${missing.join(", ")}` : undefined;
      },
    };
  };
  return [
    { verb: "create", name: "a new object", takesDoubles: true, at: everywhere, prepare: (fixture) => creating(fixture) },
    {
      verb: "create",
      name: "whose POST was applied and not answered",
      suits: (kind) => !isShownOnce(kind),
      takesDoubles: true,
      base: answerLost,
      prepare: (fixture) => creating(fixture),
    },
    {
      verb: "create",
      name: "whose POST was applied, and whose value was lost with the answer",
      suits: isShownOnce,
      base: answerLost,
      refusal: valueLost,
      prepare: (fixture) => creating(fixture),
    },
    {
      verb: "create",
      name: "whose POST was lost",
      takesDoubles: true,
      base: { match: { method: "POST", path: "^/(iam|registry|events)/" }, fault: { reset: "before" } },
      prepare: (fixture) => creating(fixture),
    },
    {
      verb: "create",
      name: "that adopts",
      suits: isRecognised,
      prepare: async (fixture) => {
        const scene = await creating(fixture);
        const theirs = await fixture.make(scene.program ?? {});
        return { ...scene, uid: theirs.uid, step: (session) => scene.stack.up(session, { ...scene.program, adopt: true }) };
      },
    },
    {
      verb: "create",
      name: "of what somebody else has, in pages of two",
      suits: isRecognised,
      pageLimit: 2,
      refusal: /already exists, as/,
      prepare: async (fixture) => {
        const [leaver] = await fixture.neighbours(5);
        fixture.moving.add(leaver?.uid ?? "");
        return creating(fixture, (program) => fixture.make(program));
      },
    },
    {
      verb: "create",
      name: "of a replacement",
      takesDoubles: true,
      prepare: then(having, (scene, fixture) => ({
        ...updated(scene, { ...scene.program, [fixture.kind.parentInput]: fixture.otherParent }),
        uid: undefined,
        mayDelete: [scene.uid],
      })),
    },
    {
      verb: "read",
      name: "of an existing object",
      at: everywhere,
      prepare: then(having, refreshed),
    },
    {
      verb: "read",
      name: "of what is gone",
      prepare: then(losing, (scene) => ({ ...refreshed(scene), program: undefined })),
    },
    {
      verb: "get",
      name: "of an existing object",
      at: everywhere,
      prepare: async (fixture) => {
        const program = await fixture.inputs();
        const { uid } = await fixture.make(program);
        const stack = new SingleResource();
        return {
          stack,
          program: undefined,
          uid,
          step: (session) => stack.get(session, uid),
          complaint: (result) => {
            const different = differencesOf(
              fixture.kind.fields,
              result as Inputs,
              program,
              ({ by, traits }) => by === "local" || traits.writeOnly === true,
            );
            return different.length === 0 ? undefined : `the get shows ${JSON.stringify(result)}`;
          },
        };
      },
    },
    {
      verb: "get",
      name: "of what is gone",
      refusal: /not found/,
      prepare: async (fixture) => {
        const { uid } = await fixture.make(await fixture.inputs());
        await fixture.platform.delete(fixture.collection, uid);
        const stack = new SingleResource();
        return { stack, program: undefined, uid, step: (session) => stack.get(session, uid) };
      },
    },
    {
      verb: "update",
      name: "of every field",
      suits: isUpdated,
      at: everywhere,
      prepare: then(having, (scene, fixture) => updated(scene, fixture.changed(scene.program))),
    },
    {
      verb: "update",
      name: "without a change",
      prepare: then(having, ({ stack }) => {
        stack.markHalfMade();
        return {};
      }),
    },
    {
      verb: "update",
      name: "of what is gone",
      suits: isUpdated,
      refusal: /not found: it, or something it references, was deleted/,
      prepare: then(losing, (scene, fixture) => {
        const { program, step } = updated(scene, fixture.changed(scene.program));
        const repair = async (session: Session) => {
          await scene.stack.refresh(session);
          await step(session);
        };
        return { program, step, repair };
      }),
    },
    {
      verb: "update",
      name: "to what somebody else has",
      // A kind that is overwritten keeps its key.
      suits: ({ calls, sharesUid }) => calls.update === "patch" && !sharesUid,
      refusal: /already exists/,
      prepare: async (fixture) => {
        const scene = await having(fixture);
        const program = fixture.changed(scene.program);
        await fixture.make(program);
        return { ...scene, step: (session) => scene.stack.up(session, program), repair: scene.step };
      },
    },
    {
      verb: "delete",
      name: "of an existing object",
      at: everywhere,
      prepare: then(having, destroyed),
    },
    {
      verb: "delete",
      name: "of what is gone",
      prepare: then(losing, destroyed),
    },
    {
      verb: "delete",
      name: "of a group that holds something",
      suits: ({ collection }) => collection.segment === "groups",
      // It asks again for as long as it waits: how often is a matter of time.
      at: ({ ordinal }) => ordinal >= 1 && ordinal <= 6,
      refusal: /blocked by group "child"|FAILED_PRECONDITION/,
      prepare: async (fixture) => {
        const scene = await having(fixture);
        await fixture.platform.create("groups", scene.uid, { name: "child" });
        return { ...scene, step: (session) => scene.stack.destroy(session) };
      },
    },
    { verb: "list", name: "of pages by offset", suits: isListed, at: everywhere, prepare: listing },
    {
      verb: "list",
      name: "of pages by cursor",
      suits: isListed,
      at: isList,
      pageLimit: 1,
      prepare: listing,
    },
  ];
}
