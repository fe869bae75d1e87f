import { PlatformClient } from "../../../provider/client/client";
import { dynamicProvider } from "../../../provider/host/dynamic";
import { newRun } from "../../../provider/resources/run/new-run";
import { identity } from "../../../provider/kinds/identity";
import { warnOfExpiry } from "../../../provider/resources/checking/expiry";
import type { Run } from "../../../provider/resources/run/run";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const keys = (expirationTime?: string) => ({
  parentUid: "a/b",
  name: "ci",
  staticKeys: { issuer: "https://i.example", subject: "s", issuerKeys: "{}", expirationTime },
});

function runThatNotifies(said: string[]): Run {
  const tokens = { token: () => Promise.resolve(""), forget: () => false, caller: () => Promise.resolve(undefined) };
  const client = new PlatformClient({ baseUrl: "http://127.0.0.1:1", apiVersion: "v2beta1", tokens });
  return newRun(client, { notify: (message) => said.push(message) });
}

/** The warnings that the user sees. */
function warnings(olds: object, news: object, times = 1): string[] {
  const said: string[] = [];
  const run = runThatNotifies(said);
  for (let time = 0; time < times; time++)
    warnOfExpiry({ kind: identity, uid: "a/b/c", olds: { ...olds }, news: { ...news } }, run);
  return said;
}

test.each([
  ["that is near", 10.5, /^warning: identity "ci" \(a\/b\/c\) expires in 10 days: staticKeys\.expirationTime is /],
  ["of today", 0.5, /expires in less than a day/],
  ["that has passed", -1, /\(a\/b\/c\) expired: /],
])("an expiry %s is announced once in a run, also if the platform filled it in", (_what, days, message) => {
  expect(warnings(keys(inDays(days)), keys(), 2)).toEqual([expect.stringMatching(message)]);
});

test("the way to renew an identity deletes the old one first, because two cannot have one name", () => {
  expect(warnings(keys(inDays(1)), keys()).join()).toContain(
    "set `deleteBeforeReplace: true` on the resource, and run `pulumi up --replace <urn>`",
  );
});

test("nothing is said of an expiry that is far, of one that the program moves, and where there is none", () => {
  expect(warnings(keys(inDays(31)), keys())).toEqual([]);
  expect(warnings(keys(inDays(10)), keys(inDays(300)))).toEqual([]);
  expect(warnings({ name: "ci", claimMatch: {} }, { name: "ci", claimMatch: {} })).toEqual([]);
});

test.each([
  ["near", 10.5, "expires in 10 days"],
  ["past", -1, "expired"],
])("a new identity whose expiry is %s passes its check, in a preview too, with a warning", async (_what, days, when) => {
  const said: string[] = [];
  const run = runThatNotifies(said);
  const issuerKeys = JSON.stringify({ keys: [{ kty: "RSA", kid: "1", n: "AQAB", e: "AQAB" }] });
  const { staticKeys } = keys(inDays(days));
  const news = { parentUid: "a/b", name: "ci", staticKeys: { ...staticKeys, issuerKeys } };
  const { failures } = await dynamicProvider(identity, () => run).check({}, news);
  expect(failures).toEqual([]);
  expect(said).toEqual([
    expect.stringMatching(`^warning: identity "ci" under a/b ${when}: staticKeys.expirationTime is .*omit it`),
  ]);
});
