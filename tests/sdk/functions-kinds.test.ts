import type { ReadableKind } from "../../provider/schema/kind";
import { readableKinds } from "../../provider/kinds/kinds";
import { parentOf } from "../../provider/client/uid";
import { callOfAll } from "../../provider/sources/source-of-all";
import { callOfOne, sourceOfOne } from "../../provider/sources/source-of-one";
import * as sdk from "../../sdk";
import { runErrorOf, usePlatform } from "./support";

const { platform } = usePlatform();

type Read = (args?: object) => Promise<Record<string, unknown>>;
const call = (name: string) => (sdk as unknown as Record<string, Read>)[name] as Read;

const kinds = Object.values(readableKinds).map((kind: ReadableKind): [string, ReadableKind] => [kind.name, kind]);

/** The hidden tags too. */
const everything = { Tag: { includeDates: true, includeEpochs: true, includeReferrers: true } } as Record<string, object>;

describe.each(kinds)("%s", (name, kind) => {
  const rowsOf = async () => (await call(callOfAll(kind))(everything[name]))[kind.segment] as Record<string, unknown>[];

  test("the data source for all returns what the platform has", async () => {
    const expected = (await platform.objects(kind.segment)).map(({ uid }) => uid);
    expect(expected).not.toEqual([]);
    expect((await rowsOf()).map(({ uid }) => uid).sort()).toEqual(expected.sort());
  });

  test("the data source for one returns the same object, by uid and by natural key", async () => {
    const [row] = await rowsOf();
    const one = call(callOfOne(kind));
    const found = await one({ uid: row?.["uid"] });
    expect(Object.keys(found).sort()).toEqual(Object.keys(row ?? {}).sort());
    const key = Object.keys(sourceOfOne(kind).rules({})).filter((each) => each !== "uid");
    if (key.length === 0) return;
    const args = key.map((each) => [each, each === kind.parentInput ? parentOf(String(row?.["uid"])) : row?.[each]]);
    expect(await one(Object.fromEntries(args.filter(([, value]) => value !== undefined)) as object)).toMatchObject({
      uid: row?.["uid"],
    });
  });

  test("a uid that does not exist is an error that names it", async () => {
    expect(await runErrorOf(call(callOfOne(kind))({ uid: `${platform.root}/0000000000000000` }))).toMatch(
      new RegExp(`^${callOfOne(kind)}: no ${kind.collection.noun} .*/0000000000000000 is visible`),
    );
  });
});
