import { dynamically } from "../../provider/host/dynamic";
import { Plugin } from "../../provider/host/plugin/plugin";
import { typeToken } from "../../provider/host/plugin/resources";
import { groupAccess } from "../../provider/kinds/group-access";
import { groupAccessLife } from "../../provider/resources/group-access/life";
import { lifeOf } from "../../provider/resources/object/life";
import type { Run } from "../../provider/resources/run/run";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { AccessFixture } from "../support/access-fixture";
import { clientOf } from "../support/native-host";
import { urnOf } from "../support/plugin-client";
import { expectFailure, failureOf, group, roleBinding } from "../support/resource-fixture";

const access = AccessFixture.forFile();
const { fixture } = access;
const update = { __isUpdate: true };

/** A resource in state. */
interface Stated {
  readonly kind: Kind;
  readonly name: string;
  readonly uid: string;
  readonly inputs: Inputs;
}

/** The answers of one process of the provider to the engine, through one of the doors. */
interface Door {
  check(kind: Kind, name: string, olds: Inputs, news: Inputs): Promise<string[]>;
  diff(resource: Stated, news: Inputs): Promise<unknown>;
}

function throughPlugin(run: Run): Door {
  const client = clientOf(new Plugin([], () => run));
  return {
    async check(kind, name, olds, news) {
      return (await client.check(typeToken(kind), name, news, olds)).failures.map(([, reason = ""]) => reason);
    },
    diff: ({ kind, name, uid, inputs }, news) =>
      client.diff(typeToken(kind), uid, inputs, news, [], urnOf(typeToken(kind), name)),
  };
}

function throughHost(run: Run): Door {
  const of = (kind: Kind) => dynamically(kind === groupAccess ? groupAccessLife : lifeOf(kind), () => run);
  return {
    async check(kind, name, olds, news) {
      const passed = { ...news, __logicalName: `${typeToken(kind)}::${name}` };
      return (await of(kind).check(olds, passed)).failures.map(({ reason }) => reason);
    },
    diff: ({ kind, uid, inputs }, news) => of(kind).diff(uid, inputs, news),
  };
}

const doors: [string, (run: Run) => Door][] = [
  ["dynamic provider host", throughHost],
  ["plugin", throughPlugin],
];
const orders = ["in one order", "in the other order"];
const inOrder = <Item>(order: string, items: readonly Item[]) => (order === orders[0] ? items : items.toReversed());

describe.each(doors)("through the %s", (_door, through) => {
  describe.each(orders)("%s,", (order) => {
    test.each([
      ["both by uid", "parentUid"],
      ["the RoleBinding by path", "parentPath"],
    ])("a RoleBinding that a GroupAccess leaves out fails in every preview: %s", async (_what, form) => {
      const name = fixture.name("place");
      const place = await access.platform.create("groups", access.platform.root, { name });
      const root = String((await fixture.stored(group, access.platform.root))?.name);
      const [identityUid, roleUid] = [await access.person("max"), access.roles.get("viewer")];
      const uid = await access.bind(place.uid, "max", "viewer");
      const binding = { parentUid: place.uid, identityUid, roleUid };
      const declared = form === "parentUid" ? binding : { identityUid, roleUid, parentPath: `${root}/${name}` };
      const stated = { ...declared, ...binding };
      const accessInputs = await access.inputs(place.uid, { access: { owner: ["zoe"] } });
      const door = through(fixture.run());
      const said: string[] = [];
      const resources: { stated: Stated; news: Inputs }[] = [
        { stated: { kind: roleBinding, name: "one", uid, inputs: stated }, news: declared },
        { stated: { kind: groupAccess, name: "all", uid: place.uid, inputs: accessInputs }, news: accessInputs },
      ];
      for (const { stated: each, news } of inOrder(order, resources)) {
        const inputs = { ...news };
        said.push(...(await door.check(each.kind, each.name, news, inputs)));
        said.push((await failureOf(door.diff(each, inputs)).catch(() => undefined))?.message ?? "");
      }
      expect(said.join("\n")).toMatch(/RoleBinding "one" .* GroupAccess "all"/);
      expect(await access.bindings(place.uid)).toEqual([uid]);
    });

    test("two resources of one uid fail in the preview, and both are named", async () => {
      const theirs = await fixture.theirs(group);
      const door = through(fixture.run());
      const renamed = { ...theirs.inputs, name: fixture.name("renamed") };
      const [first, second] = inOrder(order, [
        { name: "shop", news: theirs.inputs },
        { name: "store", news: renamed },
      ]).map(({ name, news }) => ({ stated: { kind: group, name, uid: theirs.uid, inputs: theirs.inputs }, news }));
      expect(await door.check(group, String(first?.stated.name), theirs.inputs, first?.news ?? {})).toEqual([]);
      await door.diff(first?.stated as Stated, first?.news ?? {});
      expect(await door.check(group, String(second?.stated.name), theirs.inputs, second?.news ?? {})).toEqual([]);
      const { message } = await failureOf(Promise.resolve(door.diff(second?.stated as Stated, second?.news ?? {})));
      for (const part of ["KEY_TAKEN", '"shop"', '"store"', `both own group ${theirs.uid}`]) expect(message).toContain(part);
    });

    test("a name that moves inside a program: the preview warns, and the update of its taker sends nothing", async () => {
      const parentUid = await fixture.parent();
      const [alpha, beta] = [fixture.name("alpha"), fixture.name("beta")];
      const holder = await fixture.colleague(group, { parentUid, name: alpha });
      const taker = await fixture.colleague(group, { parentUid, name: beta });
      const moves = [
        { kind: group, name: "g0", uid: holder.uid, inputs: { parentUid, name: alpha }, news: { parentUid, name: "first" } },
        { kind: group, name: "g1", uid: taker.uid, inputs: { parentUid, name: beta }, news: { parentUid, name: alpha } },
      ];
      const { run, told } = fixture.told();
      const preview = through(run);
      for (const each of inOrder(order, moves)) expect(await preview.check(group, each.name, each.inputs, each.news)).toEqual([]);
      expect(told.filter((text) => text.includes("in two updates"))).toHaveLength(1);
      expect(told.join()).toMatch(/"g1".* still belongs to "g0"/);
      const updates = fixture.run();
      const door = through(updates);
      for (const each of inOrder(order, moves))
        expect(await door.check(group, each.name, each.inputs, { ...each.news, ...update })).toEqual([]);
      await access.platform.clearRequests();
      const [{ uid, inputs, news }] = moves.slice(1) as [(typeof moves)[0]];
      const taking = lifeOf(group).update(uid, inputs, news, updates);
      await expectFailure(taking, "KEY_TAKEN", '"g0" of this program', "in two updates", "Nothing was sent");
      expect(await access.platform.writes()).toEqual([]);
      // Once its holder has given it up, nothing is in the way.
      await lifeOf(group).update(holder.uid, moves[0]?.inputs ?? {}, moves[0]?.news ?? {}, updates);
      await lifeOf(group).update(uid, inputs, news, updates);
      expect((await fixture.stored(group, uid))?.name).toBe(alpha);
    });

    test("a name whose holder is checked only after its taker was sent: the error names both", async () => {
      const parentUid = await fixture.parent();
      const [alpha, beta] = [fixture.name("alpha"), fixture.name("beta")];
      await fixture.colleague(group, { parentUid, name: alpha });
      const taker = await fixture.colleague(group, { parentUid, name: beta });
      const run = fixture.run();
      const door = through(run);
      const [inputs, news] = [
        { parentUid, name: beta },
        { parentUid, name: alpha },
      ];
      await door.check(group, "g1", inputs, { ...news, ...update });
      fixture.proxy.interfere = async ({ method }, forward) => {
        if (method === "PATCH") await door.check(group, "g0", news, { parentUid, name: "first", ...update });
        return forward();
      };
      const taking = lifeOf(group).update(taker.uid, inputs, news, run);
      await expectFailure(taking, "ALREADY_EXISTS", 'still belongs to "g0" of this program', "in two updates");
    });

    test("a swap fails before anything is sent, and so does a new resource with the name of one that goes", async () => {
      const parentUid = await fixture.parent();
      const [alpha, beta] = [fixture.name("alpha"), fixture.name("beta")];
      const one = await fixture.colleague(group, { parentUid, name: alpha });
      const other = await fixture.colleague(group, { parentUid, name: beta });
      const swaps = [
        { name: "g0", uid: one.uid, inputs: { parentUid, name: alpha }, news: { parentUid, name: beta } },
        { name: "g1", uid: other.uid, inputs: { parentUid, name: beta }, news: { parentUid, name: alpha } },
      ];
      const run = fixture.run();
      const door = through(run);
      for (const each of inOrder(order, swaps)) await door.check(group, each.name, each.inputs, { ...each.news, ...update });
      await access.platform.clearRequests();
      for (const { uid, inputs, news } of inOrder(order, swaps))
        await expectFailure(lifeOf(group).update(uid, inputs, news, run), "KEY_TAKEN", "in two updates");
      expect(await access.platform.writes()).toEqual([]);
    });
  });
});
