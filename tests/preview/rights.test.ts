import type { InventoryObject } from "../../inventory/objects";
import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  deleted,
  dependingOn,
  giving,
  identity,
  made,
  object,
  reads,
  reviewed,
  roleUid,
  root,
  stays,
  step,
} from "../support/preview-steps";

const shop = `${root}/shop`;
const writer = `${root}/writer`;
const role = (name: string, ...capabilities: string[]) =>
  object("Role", `${root}/${name}`, { name, capabilities: capabilities.map((each) => `CAP_${each}`) });
const bound = (name: string, place = root, identityUid = writer) =>
  object("RoleBinding", `${place}/b-${name}`, { parentUid: place, identityUid, roleUid: `${root}/${name}` });
const groups = role("groups", "IAM_GROUPS_CREATE", "IAM_GROUPS_UPDATE", "IAM_GROUPS_DELETE", "IAM_GROUPS_LIST");
const maker = role("maker", "IAM_GROUPS_CREATE", "IAM_GROUPS_LIST");
const bindings = role("bindings", "IAM_ROLE_BINDINGS_CREATE", "IAM_ROLE_BINDINGS_LIST", "IAM_GROUPS_LIST");
const blind = role("blind", "IAM_GROUPS_UPDATE");
const mapper = role("mapper", "IAM_IDENTITY_PROVIDERS_CREATE", "IAM_ROLE_BINDINGS_CREATE");
const objects = [
  mapper,
  blind,
  acme,
  object("Group", shop, { parentUid: root, name: "shop" }),
  object("Identity", writer, identity("writer")),
  groups,
  maker,
  bindings,
];

/** The rights of a caller to whom the platform shows everything. */
function rights(steps: readonly object[], held: readonly InventoryObject[], caller: object = {}) {
  const known = [...objects, ...held];
  const { rights: found } = reviewed(steps, {
    objects: known,
    caller: { uid: writer, by: "--as", objects: known, shows: () => true, ...caller },
  });
  const told = (some: readonly { what: string; reason: string }[] = []) => some.map(({ what, reason }) => `${what}: ${reason}`);
  return { calls: found?.calls, refused: told(found?.refused), unchecked: told(found?.unchecked) };
}

const newGroup = made("Group", "team", { parentUid: root, name: "team" });
const inNew = dependingOn(made("Group", "inner", { parentUid: unknownValue, name: "inner" }), {
  parentUid: [newGroup.newState],
});
const shopWas = { parentUid: root, name: "shop" };
const renamed = step("Group", "shop", shopWas, { ...shopWas, name: "store" });
const guarded = step("Group", "shop", shopWas, { ...shopWas, deletionProtection: true });
const repo = { parentUid: root, name: "images" };
const images = (isThere = false) => step("Repo", "images", isThere ? repo : undefined, repo, { form: "platform:registry:" });
const sso = object("IdentityProvider", `${root}/sso`, { parentUid: root, name: "sso" });
const gives = (name: string) => made("RoleBinding", "give", giving(name));

const access = (members: object) => ({ parentUid: root, access: { [roleUid("viewer")]: members } });
const team = { roleUids: { [roleUid("viewer")]: roleUid("viewer") }, bindings: { [roleUid("viewer")]: { ci: `${root}/b1` } } };
const changedTeam = (name: string) =>
  step("GroupAccess", "team", access({ ci: `${root}/ci` }), access({ [name]: `${root}/${name}` }), { outputs: team });

test.each<[string, readonly object[], readonly InventoryObject[], string[], string[]]>([
  ["a member of a group access that stays takes no call", [changedTeam("ci")], [], [], []],
  [
    "one that goes and one that comes take two",
    [changedTeam("cd")],
    [],
    [
      "create role binding team: it lacks CAP_IAM_ROLE_BINDINGS_CREATE in acme",
      "delete role binding team: it lacks CAP_IAM_ROLE_BINDINGS_DELETE in acme",
    ],
    [],
  ],
  ["nothing is called: nothing is found", [stays("Group", "shop", shopWas)], [], [], []],
  ["without a role, the call is refused", [newGroup], [], ["create group team: it lacks CAP_IAM_GROUPS_CREATE in acme"], []],
  ["a role in the group allows it", [newGroup], [bound("maker")], [], []],
  [
    "a role elsewhere does not",
    [newGroup],
    [bound("maker", shop)],
    ["create group team: it lacks CAP_IAM_GROUPS_CREATE in acme"],
    [],
  ],
  [
    "a role that lacks one of them does not",
    [newGroup],
    [bound("bindings")],
    ["create group team: it lacks CAP_IAM_GROUPS_CREATE in acme"],
    [],
  ],
  [
    "a role of another identity does not",
    [newGroup],
    [bound("maker", root, `${root}/other`)],
    ["create group team: it lacks CAP_IAM_GROUPS_CREATE in acme"],
    [],
  ],
  ["what is made in a new group inherits the roles above it", [newGroup, inNew], [bound("maker")], [], []],
  [
    "and who makes a group has no more in it",
    [newGroup, inNew],
    [bound("bindings")],
    [
      "create group team: it lacks CAP_IAM_GROUPS_CREATE in acme",
      "create group inner: it lacks CAP_IAM_GROUPS_CREATE in acme/team",
    ],
    [],
  ],
  [
    "an update takes another capability",
    [renamed],
    [bound("maker")],
    ["update group shop: it lacks CAP_IAM_GROUPS_UPDATE in acme/store"],
    [],
  ],
  ["an update that sends nothing takes none", [guarded], [], [], []],
  [
    "a delete too",
    [deleted(stays("Group", "shop", shopWas))],
    [bound("maker")],
    ["delete group shop: it lacks CAP_IAM_GROUPS_DELETE in acme/shop"],
    [],
  ],
  ["a resource that is forgotten takes none", [deleted(stays("Group", "shop", shopWas), { retainOnDelete: true })], [], [], []],
  [
    "a role in the group itself allows to delete it",
    [deleted(stays("Group", "shop", shopWas))],
    [bound("groups", shop)],
    [],
    ["the rights of the caller: the update changes its role bindings or its roles"],
  ],
  [
    "others' objects in a group may be deleted with it",
    [deleted(stays("Group", "shop", { ...shopWas, forceDestroy: true }))],
    [object("Identity", `${shop}/cd`, { ...identity("cd"), parentUid: shop }), bound("groups")],
    [],
    ["delete identity cd: it lacks CAP_IAM_IDENTITY_DELETE in acme/shop, but it may go with its group"],
  ],
  ["a repo that the platform keeps takes no delete", [deleted(images(true))], [], [], []],
  [
    "a mapping may give only what the caller has, as far as that is documented",
    [
      made("ExternalGroupRoleMapping", "map", {
        identityProviderUid: `${root}/sso`,
        externalGroupId: "dev",
        roleUid: `${root}/maker`,
        scope: root,
      }),
    ],
    [sso, bound("mapper")],
    [],
    [
      "create external group role mapping map: it lacks CAP_IAM_GROUPS_CREATE and CAP_IAM_GROUPS_LIST of the role maker in acme, but",
    ],
  ],
  [
    "objects that are only read are not looked at",
    [reads("Group", "shop"), reads("Role", "viewer", roleUid("viewer"))],
    [],
    [],
    [],
  ],
  [
    "a create that may adopt what exists may send nothing",
    [made("Group", "store", { parentUid: root, name: "shop" })],
    [],
    [],
    [],
  ],
  [
    "an update may read before it writes",
    [renamed],
    [bound("blind")],
    [],
    ["update group shop: it lacks CAP_IAM_GROUPS_LIST in acme/store, but"],
  ],
  [
    "what replaces an object does not adopt it: its create is sent",
    [
      step(
        "Identity",
        "ci",
        identity("ci"),
        { parentUid: root, name: "ci", awsIdentity: { awsAccount: "123456789012" } },
        { op: "replace" },
      ),
    ],
    [object("Identity", `${root}/ci`, identity("ci")), bound("groups")],
    [
      "create identity ci: it lacks CAP_IAM_IDENTITY_CREATE in acme",
      "delete identity ci: it lacks CAP_IAM_IDENTITY_DELETE in acme",
    ],
    [],
  ],
  [
    "the account association that shares the uid of a group may be deleted with it",
    [deleted(stays("Group", "shop", { ...shopWas, forceDestroy: true }))],
    [{ ...object("AccountAssociation", shop, { parentUid: shop, name: "aws" }), place: shop }, bound("groups")],
    [],
    ["delete account association aws: it lacks CAP_IAM_ACCOUNT_ASSOCIATIONS_DELETE in acme/shop, but it may go with its group"],
  ],
  [
    "what another resource of the program may take over may not be deleted",
    [deleted(stays("RoleBinding", "give", giving("viewer"))), made("RoleBinding", "renamed", giving("viewer"))],
    [object("RoleBinding", `${root}/give`, giving("viewer")), bound("bindings")],
    [],
    [
      "create role binding renamed: it lacks CAP_ACTIONS_LIST",
      "delete role binding give: it lacks CAP_IAM_ROLE_BINDINGS_DELETE in acme, but another",
    ],
  ],
  [
    "a role that the caller cannot give is not documented to be refused",
    [gives("owner")],
    [bound("bindings")],
    [],
    ["create role binding give: it lacks CAP_ACTIONS_LIST, "],
  ],
])("%s", (_, steps, held, refused, unchecked) => {
  const found = rights(steps, held);
  expect(found.refused).toEqual(refused);
  expect(found.unchecked).toEqual(unchecked.map((start) => expect.stringMatching(new RegExp(`^${start}`)) as string));
});

const own = stays("RoleBinding", "b-maker", { parentUid: root, identityUid: writer, roleUid: `${root}/maker` });
const ownRole = (is: object) =>
  step(
    "Role",
    "maker",
    { name: "maker", parentUid: root, capabilities: ["CAP_IAM_GROUPS_CREATE", "CAP_IAM_GROUPS_LIST"] },
    { name: "maker", parentUid: root, ...is },
  );
const person = "f".repeat(40);

test.each<[string, readonly object[], readonly InventoryObject[], object, RegExp]>([
  [
    "the update takes the role of the caller away",
    [newGroup, deleted(own)],
    [bound("maker")],
    {},
    /^the rights of the caller: the update changes its role bindings or its roles/,
  ],
  [
    "the update gives the caller its role",
    [newGroup, made("RoleBinding", "new", { parentUid: root, identityUid: writer, roleUid: `${root}/maker` })],
    [],
    {},
    /^the rights of the caller: the update changes its role bindings or its roles/,
  ],
  [
    "the update changes what the role allows",
    [newGroup, ownRole({ capabilities: ["CAP_IAM_GROUPS_LIST"] })],
    [bound("maker")],
    {},
    /^the rights of the caller: the update changes its role bindings or its roles/,
  ],
  [
    "it may be the caller to whom the update gives a role",
    [
      newGroup,
      dependingOn(made("RoleBinding", "new", { parentUid: root, identityUid: unknownValue, roleUid: `${root}/maker` }), {
        identityUid: [],
      }),
    ],
    [],
    {},
    /^the rights of the caller: the update changes its role bindings or its roles/,
  ],
  [
    "the preview does not show to whom the update gives roles",
    [
      newGroup,
      step("GroupAccess", "team", access({ ci: `${root}/ci` }), { parentUid: root, access: "[secret]" }, { outputs: team }),
    ],
    [],
    {},
    /^the rights of the caller: the preview does not show the whole update/,
  ],
  [
    "a group access may take the role of the caller",
    [newGroup, changedTeam("cd")],
    [bound("viewer")].map((each) => ({ ...each, value: { ...each.value, roleUid: roleUid("viewer") } })),
    {},
    /^the rights of the caller: the update changes its role bindings or its roles/,
  ],
  ["a role of the caller cannot be read", [newGroup], [bound("hidden")], {}, /^create group team: .* cannot be read/],
  [
    "not all role bindings are visible",
    [newGroup],
    [],
    { shows: (kind: string) => kind === "iam:Group" },
    /^create group team: it lacks .*, but not all role bindings are visible/,
  ],
  ["the caller is a person", [newGroup], [], { uid: person }, /^create group team: it lacks .*, but a person may/],
  ["the caller is unknown", [newGroup], [], { uid: undefined }, /^the rights of the caller: .*--as/],
  [
    "the place is known only after the update",
    [dependingOn(made("Group", "team", { parentUid: unknownValue, name: "team" }), { parentUid: [] })],
    [bound("maker")],
    {},
    /^the rights of the caller: the preview does not show the whole update/,
  ],
  [
    "nothing shows the place",
    [made("Group", "team", { parentPath: "elsewhere", name: "team" })],
    [],
    {},
    /^the rights of the caller: the preview does not show the whole update/,
  ],
  [
    "it may exist, where the platform does not show it",
    [images()],
    [],
    { shows: (kind: string) => kind === "iam:RoleBinding" },
    /^create repo images: it lacks .*, but it may exist/,
  ],
  [
    "a secret may change",
    [
      step(
        "Identity",
        "ci",
        { ...identity("ci"), description: "[secret]" },
        { ...identity("ci"), description: "[secret]", name: "ci" },
        { op: "update" },
      ),
    ],
    [],
    {},
    /^update identity ci: it lacks .*, but the preview does not show/,
  ],
  [
    "a secret decides who sees events",
    [
      step(
        "Subscription",
        "s",
        { parentUid: root, sink: "[secret]" },
        { parentUid: root, sink: "[secret]" },
        { form: "platform:events:" },
      ),
    ],
    [],
    {},
    /^the rights of the caller: the preview does not show the whole update/,
  ],
  [
    "the kind is unknown to this release",
    [made("Gadget", "new", { parentUid: root })],
    [],
    {},
    /^the calls for new: this release knows no iam:Gadget/,
  ],
])("it is not checked, and says why, where %s", (_, steps, held, caller, reason) => {
  const { refused, unchecked } = rights(steps, held, caller);
  expect(unchecked.filter((line) => reason.test(line))).toHaveLength(1);
  expect(refused.filter((line) => line.startsWith("create group team"))).toEqual([]);
});
