import { identity } from "../../provider/kinds/identity";
import { ObjectSet } from "../../provider/resources/object-map";
import { warnOfExpiry } from "../../provider/resources/checking/expiry";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const keys = (expirationTime?: string) => ({
  parentUid: "a/b",
  name: "ci",
  staticKeys: { issuer: "https://i.example", subject: "s", issuerKeys: "{}", expirationTime },
});

/** What the user sees. */
function warnings(olds: object, news: object, times = 1): string[] {
  const said: string[] = [];
  const run = { notify: (message: string) => said.push(message), expiring: new ObjectSet() };
  for (let time = 0; time < times; time++) warnOfExpiry(identity, "a/b/c", { ...olds }, { ...news }, run);
  return said;
}

test.each([
  ["that is near", 10.5, /^warning: identity "ci" under a\/b \(a\/b\/c\) expires in 10 days: staticKeys\.expirationTime is /],
  ["of today", 0.5, /expires in less than a day/],
  ["that has passed", -1, /\(a\/b\/c\) expired: /],
])("an expiry %s is announced once in a run, also if the platform filled it in", (_what, days, message) => {
  expect(warnings(keys(inDays(days)), keys(), 2)).toEqual([expect.stringMatching(message)]);
});

test("nothing is said of an expiry that is far, of one that the program moves, and where there is none", () => {
  expect(warnings(keys(inDays(31)), keys())).toEqual([]);
  expect(warnings(keys(inDays(10)), keys(inDays(300)))).toEqual([]);
  expect(warnings({ name: "ci", claimMatch: {} }, { name: "ci", claimMatch: {} })).toEqual([]);
});
