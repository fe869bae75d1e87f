import { isDeepStrictEqual } from "node:util";
import { pathOf } from "../access/places";
import type { CopiedRows } from "../emulator/copy/load";
import { stringOf } from "../emulator/wire/json";
import { kindName, listedKinds } from "../inventory/kinds";
import type { PlatformObject } from "../inventory/objects";
import { namesIn, objectsIn, Rows } from "../inventory/rows";
import { peopleIn } from "../inventory/snapshot-of";
import { messageOf } from "../provider/client/errors";
import { list } from "../provider/client/printable";
import { advisory } from "../provider/kinds/advisory";
import type { Inexact } from "./read";

/** Objects as the inventory reads them from rows, people included. A row that the provider cannot read is left out. */
export function objectsOf(shown: CopiedRows): PlatformObject[] {
  const rows = new Rows();
  for (const [kind, { collection }] of listedKinds)
    rows.add(
      kind,
      (shown.get(collection.segment) ?? []).flatMap((row) => collection.schema.safeParse(row).data ?? []),
    );
  const objects = objectsIn(rows, namesIn(rows)).all;
  return [...objects, ...peopleIn(objects).map((person): PlatformObject => ({ ...person, row: { uid: person.uid } }))];
}

/**
 * The objects that a copy shows in another way than the platform, by the provider's own reading of both.
 *
 * @param original rows of the platform, by collection
 * @param shown rows of the copy, by collection
 */
export function differencesOf(original: CopiedRows, shown: CopiedRows): Inexact[] {
  const names = new Map(original.get("groups")?.map(({ uid, name }) => [stringOf(uid), stringOf(name)]));
  return [...listedKinds.values(), advisory].flatMap((kind): Inexact[] => {
    const { segment, noun, schema } = kind.collection;
    const copied = new Map(shown.get(segment)?.map((row) => [row["uid"], row]));
    const read = (row: unknown): object => {
      const parsed = schema.parse(row);
      if (!("observe" in kind)) return parsed;
      const { inputs, outputs } = kind.observe(parsed);
      return { ...inputs, ...outputs };
    };
    return (original.get(segment) ?? []).flatMap((row): Inexact[] => {
      const uid = stringOf(row["uid"]);
      const reason = differenceBetween(() => [read(row), read(copied.get(row["uid"]))]);
      const name = (each: string) => (each === uid ? stringOf(row["name"]) || uid : names.get(each));
      return reason === undefined ? [] : [{ what: `${noun} ${pathOf(uid, name) ?? uid}`, reason, kinds: [kindName(kind)], uid }];
    });
  });
}

function differenceBetween(read: () => [object, object]): string | undefined {
  try {
    const [one, other] = read();
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const different = names.filter((name) => !isDeepStrictEqual(Reflect.get(one, name), Reflect.get(other, name)));
    return different.length === 0 ? undefined : `the copy shows ${list(different)} in another way`;
  } catch (error) {
    return `the copy cannot show it: ${messageOf(error)}`;
  }
}
