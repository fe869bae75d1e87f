import { identityProvider } from "../support/resource-fixture";
import { changeOf } from "../support/change";
import { valueAt } from "../../provider/schema/values";

test.each(["constructor", "toString", "__proto__"])("a member named %s that a platform adds was not there before", (name) => {
  expect(valueAt({ claimMatch: {} }, ["claimMatch", name])).toBeUndefined();
  expect(valueAt({ claimMatch: JSON.parse(`{"${name}":1}`) as unknown }, ["claimMatch", name])).toBe(1);
});

test.each(["constructor", "__proto__"])(
  "a member %s that the platform has is removed by an update: mask and body name it",
  (name) => {
    const oidc = { issuer: "https://issuer.example", clientId: "c" };
    const olds = {
      parentUid: "a",
      name: "sso",
      oidc: JSON.parse(JSON.stringify(oidc).replace("}", `,"${name}":"x"}`)) as object,
    };
    const { body, mask } = changeOf(identityProvider, olds, { parentUid: "a", name: "sso", oidc });
    expect([mask, JSON.stringify(body)]).toEqual([[`oidc.${name}`], expect.stringContaining(`"${name}":null`)]);
  },
);
