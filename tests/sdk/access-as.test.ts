import * as pulumi from "@pulumi/pulumi";
import { Organization, Team } from "../../sdk";
import { declaredBy, type Registered } from "./components";
import { refusalOf } from "./support";

const root = "0123456789abcdef0123456789abcdef01234567";
const uid = `${root}/0123456789abcdef`;
const ci = { claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" } };
const accessAs = "GroupAccess";

const accessIn = (registered: Registered[]) =>
  registered.filter(({ type }) => /Access|Binding/.test(type)).map(({ type, name, inputs }) => [type, name, inputs]);

test("all access to a group is one resource with its name, which leaves the access of others alone", async () => {
  const groups = {
    shop: { identities: { ci }, access: { editor: ["ci", uid], viewer: ["ci"] } },
    ops: { access: { viewer: ["acme/shop/ci", { issuer: "https://okta.example", subject: "zoe" }] } },
    empty: {},
  };
  expect(accessIn(await declaredBy(() => new Organization("acme", { parentUid: root, groups, accessAs })))).toEqual([
    [
      "GroupAccess",
      "acme/ops",
      {
        parentUid: "uid-of-acme/ops",
        others: "keep",
        access: {
          viewer: {
            "shop/ci": "uid-of-acme/shop/ci",
            "/https://okta.example zoe": { identityRef: { issuer: "https://okta.example", subject: "zoe" } },
          },
        },
      },
    ],
    [
      "GroupAccess",
      "acme/shop",
      {
        parentUid: "uid-of-acme/shop",
        others: "keep",
        access: { editor: { "shop/ci": "uid-of-acme/shop/ci", [`/${uid}`]: uid }, viewer: { "shop/ci": "uid-of-acme/shop/ci" } },
      },
    ],
  ]);
});

test("a role of the program stands there by its uid", async () => {
  const roles = { deployer: pulumi.output("uid-of-deployer"), unused: pulumi.output("uid-of-unused") };
  const tree = { parentUid: root, groups: {}, identities: { ci }, access: { deployer: ["ci"], viewer: ["ci"] } };
  const [found] = accessIn(await declaredBy(() => new Organization("acme", { ...tree, roles, accessAs })));
  expect(found?.[2]).toMatchObject({ access: { "uid-of-deployer": { ci: "uid-of-acme/ci" }, viewer: { ci: "uid-of-acme/ci" } } });
});

test("two names of one role of the program give it to the members of both", async () => {
  const roles = { deployer: "uid-of-deployer", releaser: pulumi.output("uid-of-deployer") };
  const tree = { parentUid: root, groups: {}, identities: { ci, cd: ci }, access: { deployer: ["ci"], releaser: ["cd"] } };
  const [found] = accessIn(await declaredBy(() => new Organization("acme", { ...tree, roles, accessAs })));
  expect(found?.[2]).toMatchObject({ access: { "uid-of-deployer": { ci: "uid-of-acme/ci", cd: "uid-of-acme/cd" } } });
});

test("a role with the name of a property of every object is no role of the program", async () => {
  const tree = { parentUid: root, groups: {}, identities: { ci }, access: { deployer: ["ci"], constructor: ["ci"] } };
  const roles = { deployer: "uid-of-deployer" };
  const [found] = accessIn(await declaredBy(() => new Organization("acme", { ...tree, roles, accessAs })));
  const { access } = found?.[2] as { access: object };
  expect(Object.keys(access).sort()).toEqual(["constructor", "uid-of-deployer"]);
});

test("a Team takes it too", async () => {
  const pipeline = { ...ci };
  const args = { parentUid: root, pipeline, access: { editor: ["pipeline"] }, accessAs } as const;
  expect(accessIn(await declaredBy(() => new Team("shop", args)))).toEqual([
    [
      "GroupAccess",
      "shop",
      { parentUid: "uid-of-shop", others: "keep", access: { editor: { pipeline: "uid-of-shop/pipeline" } } },
    ],
  ]);
});

test("any other class is refused", () => {
  const construct = () => new Organization("acme", { parentUid: root, groups: {}, accessAs: "Group" as never });
  expect(refusalOf(construct)).toContain('accessAs must be "RoleBinding" or "GroupAccess"');
});
