import fc from "fast-check";
import type { TestPlatform, WireObject } from "../support/test-platform";
import type { Model, Node } from "./model";
import { type Reconciler, seen } from "./reconciler";

/** The world on which commands act. */
export interface World {
  platform: TestPlatform;
  root: string;
  reconciler: Reconciler;
  /** A role that programs never give, for what is changed by hand. */
  otherRole: string;
  /** How often what has happened, for the figures. */
  tally: Map<string, number>;
}

function count({ tally }: Pick<World, "tally">, what: string, times = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + times);
}

type Act = (world: World) => Promise<void> | void;
/** A step of a random program's life. */
export type Command = fc.AsyncCommand<Model, World>;

/** @param plan what to do in this state, undefined when it makes no sense there; it changes nothing itself */
function command(label: string, plan: (model: Model) => Act | undefined): Command {
  return {
    check: (model) => plan(model as Model) !== undefined,
    run: async (model, world) => {
      count(world, "commands");
      await plan(model)?.(world);
    },
    toString: () => label,
  };
}

const title = fc.constantFrom("a", "b", "c d", "e.f", "g_h-1");
const description = fc.constantFrom("", "one", "two é", "Line with 'quotes' and \\ %20");
const subject = fc.constantFrom("repo:acme/a", "repo:acme/b", "x*");
const index = fc.nat(1_000);

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % items.length];
}

const ofKind = (model: Model, kind: Node["kind"]) => model.nodes.filter((node) => node.kind === kind);

/** A group of the program, or undefined for the root. */
function place(model: Model, at: number): string | undefined {
  return pick([undefined, ...ofKind(model, "group").map(({ name }) => name)], at);
}

/** Declares `node` where that makes sense. */
function declare(model: Model, node: Node): Act | undefined {
  if (!model.allows(node)) return undefined;
  return () => {
    model.set(node);
  };
}

/** Declares what `change` makes of one of the resources. */
function alter(model: Model, at: number, change: (node: Node) => Node | undefined): Act | undefined {
  const node = pick(model.nodes, at);
  const altered = node && change(node);
  return altered && declare(model, altered);
}

/**
 * Commands that add a resource to the program.
 *
 * @param roles uids of the roles that programs give
 */
export function additions(roles: readonly string[]): fc.Arbitrary<Command>[] {
  return [
    fc.tuple(index, title, description).map(([at, title, description]) =>
      command(`group ${title} at ${at}`, (model) => {
        const [name, parent] = [model.fresh("group"), place(model, at)];
        return declare(model, { kind: "group", name, parent, adopt: false, title, description });
      }),
    ),
    fc.tuple(index, title, description, subject).map(([at, title, description, subject]) =>
      command(`identity ${title} at ${at}`, (model) => {
        const [name, parent] = [model.fresh("identity"), place(model, at)];
        return declare(model, { kind: "identity", name, parent, adopt: false, title, description, subject });
      }),
    ),
    fc.tuple(index, index, fc.constantFrom(...roles)).map(([at, who, role]) =>
      command(`binding of ${who} at ${at} to ${role}`, (model) => {
        const identity = pick(ofKind(model, "identity"), who)?.name;
        const [name, parent] = [model.fresh("binding"), place(model, at)];
        if (identity === undefined) return undefined;
        return declare(model, { kind: "roleBinding", name, parent, adopt: false, identity, role });
      }),
    ),
  ];
}

/** Commands that change the program; the platform follows at the next run. */
function changes(roles: readonly string[]): fc.Arbitrary<Command>[] {
  return [
    fc
      .tuple(index, title)
      .map(([at, title]) =>
        command(`rename ${at} to ${title}`, (model) =>
          alter(model, at, (node) => (node.kind === "roleBinding" ? undefined : { ...node, title })),
        ),
      ),
    fc
      .tuple(index, description)
      .map(([at, description]) =>
        command(`describe ${at} as ${description}`, (model) =>
          alter(model, at, (node) => (node.kind === "roleBinding" ? undefined : { ...node, description })),
        ),
      ),
    fc
      .tuple(index, subject)
      .map(([at, subject]) =>
        command(`match ${at} with ${subject}`, (model) =>
          alter(model, at, (node) => (node.kind === "identity" ? { ...node, subject } : undefined)),
        ),
      ),
    fc
      .tuple(index, index)
      .map(([at, to]) =>
        command(`move ${at} to ${to}`, (model) => alter(model, at, (node) => ({ ...node, parent: place(model, to) }))),
      ),
    fc.tuple(index, index, fc.constantFrom(...roles)).map(([at, who, role]) =>
      command(`bind ${at} to ${who} as ${role}`, (model) => {
        const binding = pick(ofKind(model, "roleBinding"), at);
        const identity = pick(ofKind(model, "identity"), who)?.name;
        if (binding === undefined || identity === undefined) return undefined;
        return declare(model, { ...binding, kind: "roleBinding", identity, role });
      }),
    ),
    index.map((at) =>
      command(`remove ${at}`, (model) => {
        const node = pick(model.nodes, at);
        return (
          node &&
          (() => {
            model.remove(node.name);
          })
        );
      }),
    ),
    index.map((at) =>
      command(`rename ${at} logically`, (model) => {
        const node = pick(model.nodes, at);
        if (node === undefined || !model.isClean) return undefined;
        return async (world) => {
          model.renameLogically(node.name, model.fresh("renamed"));
          await reconcile(model, world, false);
        };
      }),
    ),
  ];
}

const collections = { group: "groups", identity: "identities", roleBinding: "roleBindings" };

/** Does `work` with the object that a run made of one of the resources, unless it was removed since. */
function behindTheBack(
  label: string,
  at: number,
  work: (node: Node, object: WireObject, world: World, model: Model) => Promise<void>,
): Command {
  return command(`${label} ${at} behind the back`, (model) => {
    const node = pick(model.applied, at);
    if (node === undefined) return undefined;
    return async (world) => {
      const uid = new Map(await world.reconciler.uids()).get(node.name);
      const object = (await world.platform.objects(collections[node.kind])).find((each) => each.uid === uid);
      if (object === undefined) return;
      await work(node, object, world, model);
      model.tampered = true;
      count(world, `${label} behind the back`);
    };
  });
}

const outsideCommands: fc.Arbitrary<Command>[] = [
  fc.tuple(index, fc.constantFrom("name", "description", "claimMatch")).map(([at, field]) =>
    behindTheBack(`change the ${field} of`, at, async (node, { uid }, { platform, otherRole }, model) => {
      const values: Record<string, unknown> = {
        name: model.fresh("changed by hand"),
        description: "Changed by hand",
        claimMatch: { subjectPattern: ".*", audience: "anyone" },
      };
      const isThere = node.kind === "identity" || (node.kind === "group" && field !== "claimMatch");
      const fields = isThere ? { [field]: values[field] } : node.kind === "roleBinding" ? { roleUid: otherRole } : {};
      await platform.change(collections[node.kind], uid, fields);
    }),
  ),
  index.map((at) => behindTheBack("delete", at, (node, { uid }, { platform }) => platform.delete(collections[node.kind], uid))),
  fc.constant(
    command("a colleague's group", (model) => async ({ platform, root }) => {
      const name = model.fresh("foreign");
      await platform.create("groups", root, { name });
      model.foreign.push(name);
    }),
  ),
];

/** Brings the platform to the program; without refresh that may fail after a change by hand, and then a refresh helps. */
export async function reconcile(model: Model, world: World, refresh: boolean): Promise<void> {
  try {
    count(world, "steps", (await world.reconciler.up(model.nodes, { refresh })).length);
    model.tampered &&= !refresh;
  } catch (error) {
    if (refresh || !model.tampered) throw error;
    count(world, "up without refresh failed");
    await reconcile(model, world, true);
  }
  model.applied = model.nodes;
  count(world, "up");
}

/** The run is killed; then a user runs it again. Objects that the state lacks are rejected, unless `adopt` is set. */
async function interrupted(model: Model, world: World, kill: { afterSteps: number; checkpoints: boolean }): Promise<void> {
  const { platform, root, reconciler } = world;
  count(world, "steps", (await reconciler.up(model.nodes, { refresh: true, kill })).length);
  count(world, "runs to be killed");
  const inState = (await reconciler.uids()).map(([, uid]) => uid);
  const lost = (await seen(platform, root)).uids.filter((uid) => !inState.includes(uid)).length - model.foreign.length;
  const again = reconciler.up(model.nodes, { refresh: true });
  if (lost === 0) await again;
  else {
    const outcome = await again.catch(String);
    // Resources that say `adopt` themselves may take theirs at once.
    const mayTake = typeof outcome !== "string" && model.nodes.some(({ adopt }) => adopt);
    if (!mayTake) expect(outcome).toMatch(/already exists/);
    await reconciler.up(model.nodes, { refresh: true, adopt: true });
    count(world, "objects that state had lost", lost);
  }
  model.tampered = false;
  model.applied = model.nodes;
}

/** Ends a life: the platform equals the model, runs then change nothing, and destroy leaves only what others made. */
export async function conclude(model: Model, world: World): Promise<void> {
  const { platform, root, reconciler } = world;
  await reconcile(model, world, true);
  const { objects, uids } = await seen(platform, root);
  expect(objects).toEqual(model.expected());
  const inState = (await reconciler.uids()).map(([, uid]) => uid);
  expect(uids.filter((uid) => inState.includes(uid))).toHaveLength(model.nodes.length);
  expect(inState).toHaveLength(model.nodes.length);

  await platform.clearRequests();
  expect(await reconciler.up(model.nodes)).toEqual([]);
  expect(await reconciler.up(model.nodes, { refresh: true })).toEqual([]);
  expect(await platform.writes()).toEqual([]);

  await reconciler.up([]);
  expect((await seen(platform, root)).objects.map(({ place }) => place).sort()).toEqual([...model.foreign].sort());
}

const runCommands: fc.Arbitrary<Command>[] = [
  fc.boolean().map((refresh) => command(refresh ? "up --refresh" : "up", (model) => (world) => reconcile(model, world, refresh))),
  fc.constant(
    command("refresh", (model) => async ({ reconciler }) => {
      await reconciler.refresh(model.nodes);
      model.tampered = false;
    }),
  ),
];

const interruption = fc
  .record({ afterSteps: fc.nat(8), checkpoints: fc.boolean() })
  .map((kill) =>
    command(
      `up, killed after ${kill.afterSteps}${kill.checkpoints ? "" : ", no checkpoints"}`,
      (model) => (world) => interrupted(model, world, kill),
    ),
  );

/**
 * Everything that may happen to a program and its platform.
 *
 * @param roles uids of the roles that programs give
 */
export function lifeOf(roles: readonly string[], { canBeKilled }: { canBeKilled: boolean }): fc.Arbitrary<Command>[] {
  return [...additions(roles), ...changes(roles), ...outsideCommands, ...runCommands, ...(canBeKilled ? [interruption] : [])];
}
