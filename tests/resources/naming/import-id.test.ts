import { PlatformError } from "../../../provider/client/errors";
import { composites, kinds } from "../../../provider/kinds/kinds";
import { group, places } from "../../../provider/kinds/group";
import { role } from "../../../provider/kinds/role";
import { uidOfImport } from "../../../provider/resources/naming/import-id";
import { Names } from "../../../provider/resources/sharing/names";
import { importFormText, keyParts } from "../../../provider/schema/import-id";
import type { Kind } from "../../../provider/schema/kind";
import { expectFailure } from "../../support/failures";

test("each kind says how an import names its objects", () => {
  const forms = Object.values<Kind>({ ...kinds, ...composites }).map((kind) => [kind.name, importFormText(kind)]);
  expect(Object.fromEntries(forms)).toEqual({
    AccountAssociation: "group",
    ExternalGroupRoleMapping: "identity provider|externalGroupId|role|scope",
    Group: "group/name",
    GroupAccess: "group",
    GroupInvite: "group|keyId",
    Identity: "group/name",
    IdentityProvider: "group/name",
    Repo: "group/name",
    Role: "group/name",
    RoleBinding: "group|identity|role",
    Subscription: "group|sink",
    Tag: "repo:name",
  });
});

const login = { issuer: "https://issuer.example", subject: "auth0|1" };

test.each([
  ["a|b|c", 3, ["a", "b", "c"]],
  ["a b/c|d|https://e", 3, ["a b/c", "d", "https://e"]],
  ['a|"b|c"|d', 3, ["a", "b|c", "d"]],
  ['a|"b\\"|c"', 2, ["a", 'b"|c']],
  [`a|${JSON.stringify(login)}|c`, 3, ["a", login, "c"]],
  // A quote that begins no JSON text is an ordinary character.
  ['a|"b|c', 3, ["a", '"b', "c"]],
  ["a|b", 3, undefined],
  ["a|b|c|d", 3, undefined],
  ["a||c", 3, undefined],
  ['a|""|c', 3, undefined],
  ["a|b|", 3, undefined],
  ["a|[1]|c", 3, ["a", "[1]", "c"]],
])("%s in %d parts is %j", (text, count, parts) => {
  expect(keyParts(text, count)).toEqual(parts);
});

/** A platform whose uids have the form of names. */
function platformOf(groups: readonly { uid: string; name: string }[], get: (uid: string) => Promise<unknown>) {
  const client = {
    get: (_collection: unknown, uid: string) => get(uid),
    list: (collection: { segment: string }, { inRoot, childrenOf }: { inRoot?: boolean; childrenOf?: string }) =>
      Promise.resolve(
        collection.segment !== places.segment
          ? []
          : groups.filter(({ uid }) => (inRoot ? !uid.includes("/") : uid.startsWith(`${String(childrenOf)}/`))),
      ),
    lookUpIdentity: () => Promise.reject(new Error("not asked")),
  } as unknown as ConstructorParameters<typeof Names>[0];
  return { client, names: new Names(client), organization: undefined };
}

const missing = (code: ConstructorParameters<typeof PlatformError>[0]) => () => Promise.reject(new PlatformError(code, "no"));
const groups = [
  { uid: "root", name: "acme" },
  { uid: "root/1", name: "shop" },
];

describe("a text that may be a uid and a path", () => {
  test("is the uid if an object has it", async () => {
    const seen = platformOf(groups, () => Promise.resolve({}));
    expect(await uidOfImport(group, "acme/shop", seen)).toBe("acme/shop");
  });

  test.each(["NOT_FOUND", "PERMISSION_DENIED", "INVALID_ARGUMENT", "WRONG_OBJECT"] as const)(
    "is the path if the answer for the uid is %s",
    async (code) => {
      expect(await uidOfImport(group, "acme/shop", platformOf(groups, missing(code)))).toBe("root/1");
    },
  );

  test("is neither while the platform does not answer", async () => {
    await expectFailure(uidOfImport(group, "acme/shop", platformOf(groups, missing("UNAVAILABLE"))), "UNAVAILABLE", "no");
  });
});

test("two root organisations of one name are refused", async () => {
  const twins = [...groups, { uid: "other", name: "acme" }];
  await expectFailure(uidOfImport(group, "acme/shop", platformOf(twins, missing("NOT_FOUND"))), "AMBIGUOUS", "root and other");
});

test("a role without a path is no custom role, also where the platform shows no built-in one", async () => {
  await expectFailure(uidOfImport(role, "viewer", platformOf(groups, missing("NOT_FOUND"))), "NOT_FOUND", "no built-in role");
});
