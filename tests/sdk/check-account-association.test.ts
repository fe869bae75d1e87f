import { checkAccountAssociation } from "../../sdk/functions";
import { runErrorOf, usePlatform } from "./support";

const { platform } = usePlatform();
const providerType = "ACCOUNT_PROVIDER_TYPE_AMAZON";
let uid: string;

beforeAll(async () => {
  uid = (await platform.create("groups", platform.root, { name: "linked" })).uid;
  await platform.create("accountAssociations", uid, { name: "accounts", amazon: { account: "123456789012" } });
});

test("an account is checked by one call, and ready or not is a result", async () => {
  await platform.settings({ accountChecks: "ready" });
  expect(await checkAccountAssociation({ uid, providerType })).toMatchObject({ status: "CHECK_STATUS_READY", reason: "" });
  const missing = await checkAccountAssociation({ uid, providerType: "ACCOUNT_PROVIDER_TYPE_AZURE" });
  expect(missing).toMatchObject({ status: "CHECK_STATUS_NOT_READY", reason: "NOT_CONFIGURED" });
  expect(missing.message).not.toBe("");
});

test("a group without an association is an error that names it", async () => {
  const bare = (await platform.create("groups", platform.root, { name: "bare" })).uid;
  const error = await runErrorOf(checkAccountAssociation({ uid: bare, providerType }));
  expect(error).toContain(`no account association of group ${bare} is visible`);
});

test("a missing argument is named, and nothing is sent", async () => {
  await platform.clearRequests();
  expect(await runErrorOf(checkAccountAssociation({ uid } as never))).toContain("providerType");
  expect(await platform.requests()).toEqual([]);
});
