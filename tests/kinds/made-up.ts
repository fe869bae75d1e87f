import { PlatformClient } from "../../provider/client/client";
import type { Declaration } from "../../provider/schema/declaration";
import { declare } from "../../provider/schema/declare";
import type { Kind } from "../../provider/schema/kind";
import type { Fields } from "../../provider/schema/field";
import { name, parent } from "../../provider/schema/fields";
import type { Inputs } from "../../provider/schema/kind";
import { check } from "../../provider/resources/object/check";
import { create } from "../../provider/resources/creating/create";
import { diff } from "../../provider/resources/object/diff";
import { GenericPlatform, type Manner } from "../support/generic-platform";
import { runOf } from "../support/run";

/** The platform of the present test. */
export let platform: GenericPlatform;

beforeEach(async () => {
  platform = await new GenericPlatform().listen();
});
afterEach(() => platform.close());

const tokens = { token: () => Promise.resolve("t"), forget: () => false };
/** A new run on it. */
export const run = () => runOf(new PlatformClient({ baseUrl: platform.url, apiVersion: "v2beta1", tokens }));
/** Method and path of each request so far. */
export const requests = () => platform.seen.map(({ method, path }) => `${method} ${path}`);
/** The Lists of the made-up kind so far. */
export const lists = () => platform.seen.filter(({ method, path }) => method === "GET" && path.endsWith("/things"));

/** A made-up kind `Thing` with `fields` besides parent and name, whose collection behaves as `manner` says. */
export function thing(fields: Fields, more: Partial<Declaration> = {}, manner: Manner = {}): Kind {
  platform.manners["things"] = manner;
  return declare<Fields, Record<string, string>>({
    name: "Thing",
    address: { noun: "thing", area: "iam", segment: "things" },
    fields: { parentUid: parent(), name: name(), ...fields },
    naturalKey: ["name"],
    filters: { name: "name" },
    access: "gives",
    ...(more as object),
  });
}

/** The inputs that every made-up kind has. */
export const base = { parentUid: "root", name: "a" };

/** Checks and creates as the engine does. `state` is what the engine keeps. */
export async function made(kind: Kind, news: Inputs, on = run()) {
  const { inputs, failures } = check({ kind, olds: {}, news }, on);
  expect(failures).toEqual([]);
  const { id, outs } = await create(kind, inputs, on);
  return { id, inputs, state: JSON.parse(JSON.stringify(outs)) as Inputs };
}

/** The reasons of the failures of a check. */
export const reasons = (kind: Kind, news: Inputs) =>
  check({ kind, olds: {}, news: { ...base, ...news } }, run()).failures.map(({ reason }) => reason);
/** The diff of two values of the fields besides {@link base}. */
export const changes = (kind: Kind, olds: Inputs, news: Inputs) =>
  diff({ kind, uid: "root/1", olds: { ...base, ...olds }, news: { ...base, ...news } }, run());
