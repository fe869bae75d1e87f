import { isDeepStrictEqual } from "node:util";
import { pathOf } from "../access/places";
import { shownRows } from "../emulator/copy/load";
import type { Services } from "../emulator/api/services";
import { kindName, listedKinds } from "../inventory/kinds";
import type { PlatformObject } from "../inventory/objects";
import { namesIn, objectsIn, Rows } from "../inventory/rows";
import { peopleIn } from "../inventory/snapshot-of";
import type { WireObject } from "../provider/client/collection";
import { messageOf } from "../provider/client/errors";
import { list } from "../provider/client/printable";
import { advisory } from "../provider/kinds/advisory";
import type { Inexact, Original } from "./read";

/** The objects of a copy as the inventory reads them, people included. */
export function objectsOf(services: Services): PlatformObject[] {
  const shown = shownRows(services);
  const rows = new Rows();
  for (const [kind, { collection }] of listedKinds)
    rows.add(
      kind,
      (shown.get(collection.segment) ?? []).flatMap((row) => collection.schema.safeParse(row).data ?? []),
    );
  const objects = objectsIn(rows, namesIn(rows)).all;
  return [...objects, ...peopleIn(objects).map((person): PlatformObject => ({ ...person, row: { uid: person.uid } }))];
}

/** The objects that a copy shows in another way than the platform, by the provider's own reading of both. */
export function differencesFrom({ rows }: Pick<Original, "rows">, services: Services): Inexact[] {
  const shown = shownRows(services);
  const names = new Map([...(rows.get("groups") ?? [])].map(([uid, { name }]) => [uid, String(name)]));
  return [...listedKinds.values(), advisory].flatMap((kind): Inexact[] => {
    const { segment, noun, schema } = kind.collection;
    const copied = new Map((shown.get(segment) ?? []).map((row) => [row["uid"], row]));
    const read = (row: unknown): object => {
      const parsed = schema.parse(row);
      return "observe" in kind ? kind.observe(parsed) : parsed;
    };
    return [...(rows.get(segment) ?? [])].flatMap(([uid, row]): Inexact[] => {
      const reason = differenceBetween(() => [read(row), read(copied.get(uid))]);
      if (reason === undefined) return [];
      const path = pathOf(uid, (each) => names.get(each)) ?? uid;
      return [{ what: `${noun} ${path}`, reason, kinds: [kindName(kind)], uid }];
    });
  });
}

function differenceBetween(read: () => [object, object]): string | undefined {
  try {
    const [one, other] = read();
    if (isDeepStrictEqual(one, other)) return undefined;
    const flat = (value: object) =>
      Object.entries({ ...value, ...Reflect.get(value, "inputs"), ...Reflect.get(value, "outputs") });
    const others = new Map(flat(other));
    const fields = flat(one).flatMap(([name, value]) => (isDeepStrictEqual(value, others.get(name)) ? [] : [name]));
    const named = fields.filter((name) => name !== "inputs" && name !== "outputs");
    return `the copy shows ${list(named.length > 0 ? named : fields)} in another way`;
  } catch (error) {
    return `the copy cannot show it: ${messageOf(error)}`;
  }
}
