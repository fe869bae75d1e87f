import { PlatformError } from "../../../provider/client/errors";
import { group, places } from "../../../provider/kinds/group";
import { FreshRows } from "../../../provider/resources/sharing/fresh-rows";
import { Names } from "../../../provider/resources/sharing/names";
import { SharedReads } from "../../../provider/resources/sharing/shared-reads";
import { defaultTiming } from "../../../provider/client/retry";
import { FakeClock } from "../../support/fake-clock";

const uids = ["a", "b", "c", "d"].map((name) => `root/${name}`);

/** A client all of whose reads fail with `error`. */
function failing(error: Error) {
  const fails = () => Promise.reject(error);
  const settings = { clock: new FakeClock(), timing: defaultTiming, hasWritten: false };
  return { ...settings, get: fails, list: fails, listUpTo: fails, lookUpIdentity: fails };
}

const readers: [string, (error: Error) => Promise<unknown>, unknown][] = [
  [
    "a row before a change",
    async (error) => {
      const rows = new FreshRows(failing(error));
      return (await Promise.all(uids.map((uid) => rows.of(group, uid))))[0];
    },
    undefined,
  ],
  [
    "a read in a List",
    async (error) => {
      const reads = new SharedReads(failing(error), []);
      return (await Promise.all(uids.map((uid) => reads.confirm(group, uid, {})))).at(-1);
    },
    undefined,
  ],
  ["the name of an object", async (error) => new Names(failing(error)).nameOf(places, "root/a"), undefined],
];

test.each(readers)("%s is not known if the platform fails, and a fault of our own is thrown", async (_, read, unknown) => {
  expect(await read(new PlatformError("UNAVAILABLE", "away"))).toBe(unknown);
  await expect(read(new TypeError("a bug"))).rejects.toThrow("a bug");
});
