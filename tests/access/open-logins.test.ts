import { compare } from "../../access/compare";
import { describeLogin } from "../../access/prose/describe-login";
import { bySeverity } from "../../access/severity";
import type { Snapshot } from "../../access/snapshot";
import { limitedLoginCases, openLoginCases } from "../kinds/public-logins";

type Login = Parameters<typeof describeLogin>[0];

const empty: Snapshot = {
  groups: new Map([["root", { name: "acme" }]]),
  identities: new Map(),
  roles: new Map([
    ["editor", { name: "editor", capabilities: ["CAP_REPO_CREATE"] }],
    ["nothing", { name: "nothing", capabilities: [] }],
  ]),
  bindings: [],
  mappings: [],
  unreadable: [],
};

/** The severity with which the login gains a role: of an identity, or of the people of an identity provider. */
function gained(login: Login, roleUid: string): string | undefined {
  const uid = "root/ci";
  const after: Snapshot =
    "oidc" in login
      ? {
          ...empty,
          providers: new Map([[uid, { name: "sso", login }]]),
          offers: [{ uid, kind: "identityProvider", place: "root", roleUid }],
        }
      : {
          ...empty,
          identities: new Map([[uid, { name: "ci", login }]]),
          bindings: [{ uid: "root/b", place: "root", identityUid: uid, roleUid }],
        };
  return compare(empty, after)[0]?.severity;
}

test.each(openLoginCases.map((login) => [JSON.stringify(login), login as Login]))(
  "a role for %s ranks as one for anybody, and the words say who that is",
  (_, login) => {
    expect(gained(login, "editor")).toBe("critical");
    expect(gained(login, "nothing")).toBe("high");
    expect(describeLogin(login)).toMatch(/^anybody who /);
  },
);

test.each(limitedLoginCases.map((login) => [JSON.stringify(login), login as Login]))("a role for %s does not", (_, login) => {
  expect(bySeverity(gained(login, "editor") as "low", "high")).toBeGreaterThan(0);
  expect(describeLogin(login)).not.toContain("anybody");
});
