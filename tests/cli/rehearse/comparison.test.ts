import { comparisonOf } from "../../../cli/rehearse/comparison";
import type { PlatformObject } from "../../../inventory/objects";

const [root, old, made] = ["a".repeat(40), `${"a".repeat(40)}/${"1".repeat(16)}`, `${"a".repeat(40)}/${"2".repeat(16)}`];
const owner = "0b3ded7e8be724d96932bc1ec162aac8953cbcc3";

const object = (kind: string, uid: string, place: string | undefined, value: Record<string, unknown>): PlatformObject => ({
  ...{ kind, uid, place, value, row: { uid } },
  ...(typeof value["name"] === "string" && { name: value["name"] }),
});
const top = object("iam:Group", root, undefined, { name: "acme" });
const role = object("iam:Role", owner, undefined, { name: "owner", capabilities: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] });
const group = (uid: string, name: string) => object("iam:Group", uid, root, { name, parentUid: root });
const provider = (within: string, client: string) =>
  object("iam:IdentityProvider", `${within}/${"3".repeat(16)}`, within, {
    ...{ name: "sso", parentUid: within, defaultRoleUid: owner },
    oidc: { issuer: "https://sso.example", clientId: client },
  });

const type = "pulumi-nodejs:dynamic/platform/iam";
const state = (...resources: readonly (readonly [kind: string, name: string, id: string])[]) =>
  JSON.stringify({
    version: 3,
    deployment: {
      manifest: { time: "2026-11-28T00:00:00Z" },
      resources: resources.map(([kind, name, id]) => ({
        ...{ urn: `urn:pulumi:live::access::${type}:${kind}::${name}`, type: `${type}:${kind}`, custom: true, id },
        ...{ inputs: {}, outputs: {} },
      })),
    },
  });

test("a replaced object that stays, as with `retainOnDelete`, and its replacement are two objects", () => {
  const before = [top, role, group(old, "shop"), provider(old, "one")];
  const { changes } = comparisonOf({
    before,
    after: [...before, group(made, "shop-2"), provider(made, "two")],
    hidden: [],
    guarded: {},
    stateBefore: state(["Group", "shop", old], ["IdentityProvider", "sso", `${old}/${"3".repeat(16)}`]),
    stateAfter: state(["Group", "shop", made], ["IdentityProvider", "sso", `${made}/${"3".repeat(16)}`]),
    now: 0,
  });
  expect(changes.map(({ effect, at }) => [effect, at.uid])).toEqual([["gain", made]]);
});
