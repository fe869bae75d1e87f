import { reviewMarkdown } from "../../cli/review/markdown";
import type { Review } from "../../cli/review/review";
import { reviewText } from "../../cli/review/text";
import { unknownValue } from "../../provider/schema/inputs";
import {
  deleted,
  dependingOn,
  giving,
  identity,
  issuer,
  made,
  offline,
  reviewed,
  roleUid,
  root,
  stays,
  step,
  undecidedIn,
} from "../support/preview-steps";

const gains = (found: Review) =>
  found.changes.filter(({ effect }) => effect === "gain").map(({ severity, through }) => `${severity} ${through.kind}`);

const oidc = { issuer, clientId: "c", clientSecret: "[secret]" };
const owner = roleUid("owner");
const sso = (members: unknown) => ({ parentUid: root, name: "sso", defaultRole: owner, oidc: members });
const admins = { identityProviderUid: `${root}/sso`, externalGroupId: "admins", roleUid: owner, scope: root };
const provider = (was: unknown, is: unknown, { outputs = was, form = "platform:iam:" } = {}) =>
  reviewed([
    step("IdentityProvider", "sso", sso(was), sso(is), { outputs: { oidc: outputs }, form }),
    stays("ExternalGroupRoleMapping", "admins", admins, `${root}/sso`),
  ]);

test.each([
  ["dynamic: the whole output is a secret", { outputs: "[secret]", form: "pulumi-nodejs:dynamic/platform/iam:" }],
  ["native: only the client secret is one", {}],
])("another issuer of an identity provider is a gain of everybody with a role by it; %s", (_, state) => {
  const found = provider(oidc, { ...oidc, issuer: "https://login.evil.example" }, state);
  expect(gains(found)).toEqual(["critical login", "critical login"]);
  expect(found).toMatchObject({ undecided: [], bounds: "exact" });
  const rotated = provider({ ...oidc, clientSecretVersion: "1" }, { ...oidc, clientSecret: unknownValue }, state);
  expect(rotated).toMatchObject({ changes: [], undecided: [], bounds: "exact" });
});

test.each([
  ["a secret issuer", oidc, { ...oidc, issuer: "[secret]" }, "oidc.issuer of sso"],
  ["a whole secret", oidc, "[secret]", "oidc of sso"],
  ["an issuer that is not known yet", oidc, { ...oidc, issuer: unknownValue }, "oidc.issuer of sso"],
  ["sign-in that is not known yet", oidc, unknownValue, "oidc of sso"],
  ["one secret for another", "[secret]", "[secret]", "oidc of sso"],
])("sign-in cannot be decided by %s", (_, was, is, what) => {
  const found = provider(was, is);
  expect([undecidedIn(found), found.bounds]).toEqual([[what], "lower"]);
});

const zoe = identity("zoe");
const known = stays("Identity", "zoe", zoe);
const binding = { ...giving("viewer", root, `${root}/zoe`) };
const byDeployer = { ...binding, roleUid: `${root}/deployer` };
const listing = ["CAP_REPO_LIST"];
const deployer = (capabilities: unknown) => ({ parentUid: root, name: "deployer", capabilities });
/** The role as the platform shows it now. */
const roles = new Map([...offline.roles, [`${root}/deployer`, { name: "deployer", capabilities: listing }]]);

test.each([
  ["not known yet", unknownValue],
  ["in part not known yet", ["CAP_REPO_LIST", unknownValue]],
  ["a secret", "[secret]"],
])("capabilities that are %s may be any, whatever the platform shows now", (_, capabilities) => {
  const role = step("Role", "deployer", deployer(listing), deployer(capabilities));
  const found = reviewed([known, stays("RoleBinding", "binding", byDeployer), role], { roles });
  expect([gains(found), undecidedIn(found)]).toEqual([["critical role"], ["capabilities of deployer"]]);
  expect(reviewText(found)).toContain(`deployer of ${root}, may be able to do more`);
  expect(reviewText(found)).not.toContain(unknownValue);
});

test("a secret list of capabilities that stays is what the platform shows", () => {
  const secret = stays("Role", "deployer", deployer("[secret]"));
  const found = reviewed([known, secret, made("RoleBinding", "new", byDeployer)], { roles });
  expect([gains(found), found.undecided]).toEqual([["low roleBinding"], []]);
});

test.each([
  ["a match", { claimMatch: unknownValue }, "claimMatch of zoe", "somebody (known after the update)"],
  ["a subject", { claimMatch: { issuer, subject: unknownValue } }, "claimMatch.subject of zoe", "subject (known after"],
])("%s that is not known yet may be anybody's: at least high, and not decided", (_, match, what, words) => {
  const is = { ...zoe, ...match };
  const found = reviewed([step("Identity", "zoe", zoe, is), stays("RoleBinding", "binding", binding)]);
  expect([gains(found), undecidedIn(found)]).toEqual([["high login"], [what]]);
  expect(reviewText(found)).toContain(words);
  expect(undecidedIn(reviewed([made("Identity", "zoe", is)]))).toEqual([what]);
});

test.each([
  [unknownValue, "amazon"],
  [{ account: unknownValue }, "amazon.account"],
])("an account that is not known yet (%j) is another one", (is, what) => {
  const accounts = (amazon: unknown) => ({ parentUid: root, name: "accounts", amazon });
  const found = reviewed([step("AccountAssociation", "accounts", accounts({ account: "123456789012" }), accounts(is))]);
  expect(undecidedIn(found)).toEqual([`${what} of accounts`]);
  expect(reviewText(found)).toContain("+ AWS account (known after the update)");
});

test("what is not known yet and decides nothing about access can be decided, and so can references", () => {
  const agent = made("Identity", "agent", { ...zoe, name: "agent", description: unknownValue });
  const services = { parentUid: root, name: "accounts", chainguard: { serviceBindings: { ingester: unknownValue } } };
  const group = made("Group", "team", { parentUid: root, name: unknownValue, description: "[secret]" });
  const mapping = made("ExternalGroupRoleMapping", "admins", { ...admins, scope: unknownValue }, { of: `${root}/sso` });
  const found = reviewed([
    agent,
    made("AccountAssociation", "accounts", services),
    group,
    dependingOn(mapping, { scope: [group] }),
  ]);
  expect(found).toMatchObject({ undecided: [], unknown: [] });
  expect(found.changes.map(({ at }) => at.uid).join()).not.toContain(unknownValue);
});

describe("access by a GroupAccess that is a secret in the state", () => {
  const access = (members: unknown) => ({ parentUid: root, access: members });
  const shown = { roleUids: { owner }, bindings: { owner: { zoe: `${root}/b1` } } };
  const member = { owner: { zoe: `${root}/zoe` } };

  test.each<[members: unknown, outputs?: object]>([
    ["[secret]"],
    [{ owner: "[secret]" }],
    [{ owner: { zoe: "[secret]" } }],
    [member, { bindings: "[secret]" }],
    [member, { roleUids: "[secret]" }],
  ])("may end with the update: %j %j", (members, more = {}) => {
    const [was, outputs] = [access(members), { ...shown, ...more }];
    const kept = step("GroupAccess", "top", was, was, { outputs });
    const plain = { ...access({}), others: "keep" };
    for (const changed of [deleted(kept), step("GroupAccess", "top", was, plain, { outputs })])
      expect(undecidedIn(reviewed([known, changed]))).toEqual(["who had access by top"]);
    expect(reviewed([known, kept])).toMatchObject({ changes: [], undecided: [], bounds: "lower" });
  });
});

test("a comment lists all that is not decided, and says how much else it leaves out", () => {
  const sixty = (of: (name: string) => object) => Array.from({ length: 60 }, (_, index) => of(`n${index}`));
  const hidden = sixty((name) => made("Identity", name, { ...zoe, name, claimMatch: "[secret]" }));
  const kept = sixty((name) => deleted(stays("Group", name, { parentUid: root, name }), { retainOnDelete: true }));
  const comment = reviewMarkdown(reviewed([...hidden, ...kept]));
  expect(comment.match(/claimMatch of/g)).toHaveLength(60);
  expect(comment.match(/stays on the platform/g)).toHaveLength(50);
  expect(comment).toContain("- and 10 more: `--json`");
});
