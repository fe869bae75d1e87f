import { knownOffline } from "../../cli/review/known";
import { reviewMarkdown } from "../../cli/review/markdown";
import { type Review, reviewOf } from "../../cli/review/review";
import { reviewText } from "../../cli/review/text";
import { readPreviewFile } from "../../inventory/preview-file";
import { unknownValue } from "../../provider/kinds/inputs";
import { previewOf, root, stays, step } from "../support/preview-steps";

const uidOf = (role: string) => [...knownOffline().roles].find(([, { name }]) => name === role)?.[0] ?? "";
const owner = uidOf("owner");
const issuer = "https://login.acme.example";

const reviewed = (...steps: object[]) => reviewOf(previewOf(...steps), knownOffline());
const gains = (found: Review) =>
  found.changes.filter(({ effect }) => effect === "gain").map(({ severity, through }) => `${severity} ${through.kind}`);
const undecided = (found: Review) => found.undecided.map(({ what }) => what);

const oidc = { issuer, clientId: "c", clientSecret: "[secret]" };
const sso = (members: unknown) => ({ parentUid: root, name: "sso", defaultRole: owner, oidc: members });
const admins = { identityProviderUid: `${root}/sso`, externalGroupId: "admins", roleUid: owner, scope: root };
const provider = (was: unknown, is: unknown, { outputs = was, form = "platform:iam:" } = {}) =>
  reviewed(
    step("IdentityProvider", "sso", sso(was), sso(is), { outputs: { oidc: outputs }, form }),
    stays("ExternalGroupRoleMapping", "admins", admins, `${root}/sso`),
  );

test.each([
  ["dynamic: the whole output is a secret", { outputs: "[secret]", form: "pulumi-nodejs:dynamic/platform/iam:" }],
  ["native: only the client secret is one", {}],
])("another issuer of an identity provider is a gain of everybody with a role by it; %s", (_, state) => {
  const found = provider(oidc, { ...oidc, issuer: "https://login.evil.example" }, state);
  expect(gains(found)).toEqual(["critical login", "critical login"]);
  expect(found.bounds).toBe("exact");
  expect(undecided(found)).toEqual([]);
  const rotated = provider({ ...oidc, clientSecretVersion: "1" }, { ...oidc, clientSecret: unknownValue }, state);
  expect(rotated).toMatchObject({ changes: [], undecided: [], bounds: "exact" });
});

test.each([
  ["a secret issuer", { ...oidc, issuer: "[secret]" }, "oidc.issuer of sso"],
  ["a whole secret", "[secret]", "oidc of sso"],
  ["an issuer that is not known yet", { ...oidc, issuer: unknownValue }, "oidc.issuer of sso"],
  ["sign-in that is not known yet", unknownValue, "oidc of sso"],
])("sign-in cannot be decided by %s", (_, members, what) => {
  const found = provider(oidc, members);
  expect(undecided(found)).toEqual([what]);
  expect(found.bounds).toBe("lower");
});

test("a change from one secret to another one cannot be decided", () => {
  expect(undecided(provider("[secret]", "[secret]"))).toEqual(["oidc of sso"]);
});

const zoe = { parentUid: root, name: "zoe", claimMatch: { issuer, subject: "zoe" } };
const binding = (roleUid: string) => stays("RoleBinding", "binding", { parentUid: root, identityUid: `${root}/zoe`, roleUid });
const deployer = (capabilities: unknown) => ({ parentUid: root, name: "deployer", capabilities });
const listing = ["CAP_REPO_LIST"];

test.each([
  ["not known yet", unknownValue],
  ["in part not known yet", ["CAP_REPO_LIST", unknownValue]],
  ["a secret", "[secret]"],
])("capabilities that are %s may be any, whatever the platform shows now", (_, capabilities) => {
  const known = knownOffline();
  const roles = new Map([...known.roles, [`${root}/deployer`, { name: "deployer", capabilities: listing }]]);
  const role = step("Role", "deployer", deployer(listing), deployer(capabilities));
  const steps = [stays("Identity", "zoe", zoe), binding(`${root}/deployer`), role];
  const found = reviewOf(readPreviewFile(JSON.stringify({ steps }), "the file"), { ...known, roles });
  expect(gains(found)).toEqual(["critical role"]);
  expect(undecided(found)).toEqual(["capabilities of deployer"]);
  expect(reviewText(found)).toContain(`deployer of ${root}, may be able to do more: what the role will allow is not shown`);
  expect(reviewText(found)).not.toContain(unknownValue);
});

test("a secret list of capabilities that stays is what the platform shows", () => {
  const known = knownOffline();
  const roles = new Map([...known.roles, [`${root}/deployer`, { name: "deployer", capabilities: listing }]]);
  const secret = stays("Role", "deployer", deployer("[secret]"));
  const bound = step("RoleBinding", "new", undefined, {
    parentUid: root,
    identityUid: `${root}/zoe`,
    roleUid: `${root}/deployer`,
  });
  const steps = [stays("Identity", "zoe", zoe), secret, bound];
  const found = reviewOf(readPreviewFile(JSON.stringify({ steps }), "the file"), { ...known, roles });
  expect(gains(found)).toEqual(["low roleBinding"]);
  expect(undecided(found)).toEqual([]);
});

test.each([
  ["a match", { claimMatch: unknownValue }, "claimMatch of zoe", "somebody (known after the update) can now log in as"],
  ["a subject", { claimMatch: { issuer, subject: unknownValue } }, "claimMatch.subject of zoe", "has the subject (known after"],
])("%s that is not known yet may be anybody's: at least high, and not decided", (_, match, what, words) => {
  const found = reviewed(step("Identity", "zoe", zoe, { ...zoe, ...match }), binding(uidOf("viewer")));
  expect(gains(found)).toEqual(["high login"]);
  expect(undecided(found)).toEqual([what]);
  expect(reviewText(found)).toContain(words);
  const first = reviewed(step("Identity", "zoe", undefined, { ...zoe, ...match }));
  expect(undecided(first)).toEqual([what]);
});

test("an account that is not known yet is another one", () => {
  const accounts = (amazon: unknown) => ({ parentUid: root, name: "accounts", amazon });
  const of = (amazon: unknown) =>
    reviewed(step("AccountAssociation", "accounts", accounts({ account: "123456789012" }), accounts(amazon)));
  for (const [amazon, what] of [
    [unknownValue, "amazon"],
    [{ account: unknownValue }, "amazon.account"],
  ] as const) {
    expect(undecided(of(amazon))).toEqual([`${what} of accounts`]);
    expect(reviewText(of(amazon))).toContain("+ AWS account (known after the update) now acts for");
  }
});

test("what is not known yet and decides nothing about access can be decided, and so can references", () => {
  const agent = step("Identity", "agent", undefined, { ...zoe, name: "agent", description: unknownValue });
  const accounts = { parentUid: root, name: "accounts", chainguard: { serviceBindings: { ingester: unknownValue } } };
  const group = step("Group", "team", undefined, { parentUid: root, name: unknownValue, description: "[secret]" });
  const mapping = step(
    "ExternalGroupRoleMapping",
    "admins",
    undefined,
    { ...admins, scope: unknownValue },
    { of: `${root}/sso` },
  );
  Object.assign(mapping.newState, { propertyDependencies: { scope: [group.urn] } });
  const found = reviewed(agent, step("AccountAssociation", "accounts", undefined, accounts), group, mapping);
  expect(found).toMatchObject({ undecided: [], unknown: [] });
  expect(found.changes.map(({ at }) => at.uid).join()).not.toContain(unknownValue);
});

test("a comment lists all that is not decided, and says how much else it leaves out", () => {
  const identities = Array.from({ length: 60 }, (_, index) =>
    step("Identity", `i${index}`, undefined, { ...zoe, name: `i${index}`, claimMatch: "[secret]" }),
  );
  const kept = Array.from({ length: 60 }, (_, index) => ({
    ...stays("Group", `g${index}`, { parentUid: root, name: `g${index}` }),
    op: "delete",
  }));
  for (const { oldState } of kept) Object.assign(oldState ?? {}, { retainOnDelete: true });
  const comment = reviewMarkdown(reviewed(...identities, ...kept));
  expect(comment.match(/claimMatch of/g)).toHaveLength(60);
  expect(comment.match(/stays on the platform/g)).toHaveLength(50);
  expect(comment).toContain("- and 10 more: `--json` lists all");
});
