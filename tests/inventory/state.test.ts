import { readStates } from "../../inventory/state";
import { redact } from "../../provider/client/redact";

const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const root = "a".repeat(40);

interface Resource {
  type: string;
  name: string;
  id?: string;
  inputs?: object;
  outputs?: object;
  external?: boolean;
  delete?: boolean;
}

function exported(resources: readonly Resource[], stack = "prod"): string {
  return JSON.stringify({
    version: 3,
    deployment: {
      manifest: {},
      resources: resources.map(({ name, ...resource }) => ({
        urn: `urn:pulumi:${stack}::people::${resource.type}::${name}`,
        custom: true,
        ...resource,
      })),
    },
  });
}

const read = (...resources: Resource[]) => readStates(new Map([["prod.json", exported(resources)]]));

test.each(["pulumi-nodejs:dynamic/platform/iam:Group", "platform:iam:Group", "platform:iam/group:Group"])(
  "a group of type %s is a group",
  (type) => {
    const inputs = { parentUid: root, name: "shop", description: "", __provider: "text" };
    const { managed } = read({ type, name: "shop", id: `${root}/b`, inputs, outputs: { ...inputs, createTime: "2026-01-01" } });
    expect(managed).toMatchObject([
      {
        kind: "iam:Group",
        uid: `${root}/b`,
        place: root,
        urn: `urn:pulumi:prod::people::${type}::shop`,
        stack: "people/prod",
        value: { parentUid: root, name: "shop" },
      },
    ]);
  },
);

test("resources of other providers, stacks and components are none of ours", () => {
  const { managed, unknownTypes } = read(
    { type: "pulumi:pulumi:Stack", name: "s" },
    { type: "pulumi:providers:pulumi-nodejs", name: "default", id: "1" },
    { type: "pulumi-nodejs:dynamic:Resource", name: "other", id: "1" },
    { type: "aws:iam/group:Group", name: "aws", id: "1" },
  );
  expect(managed).toEqual([]);
  expect([...unknownTypes]).toEqual([]);
});

test("registry credentials are no object of the platform: there is nothing to compare", () => {
  const types = ["platform:registry:RegistryCredentials", "pulumi-nodejs:dynamic/platform/registry:RegistryCredentials"];
  const { managed, unknownTypes } = read(...types.map((type) => ({ type, name: "pull", id: "1" })));
  expect([managed, [...unknownTypes]]).toEqual([[], []]);
});

test("a type that is newer than this release is counted, not lost", () => {
  const { unknownTypes } = read({ type: "platform:iam:Robot", name: "r", id: "1" });
  expect([...unknownTypes]).toEqual([["platform:iam:Robot", 1]]);
});

test("what a program only reads is not managed, and what is about to be deleted need not exist", () => {
  const type = "platform:iam:Group";
  const { managed, referred } = read(
    { type, name: "root", id: root, external: true, outputs: { name: "acme" } },
    { type, name: "old", id: `${root}/old`, delete: true },
  );
  expect(referred.map(({ uid }) => uid)).toEqual([root]);
  expect(managed).toMatchObject([{ uid: `${root}/old`, pending: "replaced" }]);
});

test("names in programs are the uids that state has for them", () => {
  const { managed } = read({
    type: "platform:iam:RoleBinding",
    name: "b",
    id: `${root}/b`,
    inputs: { parentPath: "acme", identityUid: "i", roleName: "viewer" },
    outputs: { parentPath: "acme", parentUid: root, identityUid: "i", roleName: "viewer", roleUid: "r" },
  });
  expect(managed[0]?.value).toMatchObject({ parentUid: root, identityUid: "i", roleUid: "r" });
});

test("an encrypted secret is left out and says where; a plain one is read, and redacted from then on", () => {
  const ciphertext = { ...mark, ciphertext: "v1:abc:def" };
  const plain = { ...mark, plaintext: JSON.stringify("the clients secret word") };
  const type = "platform:iam:IdentityProvider";
  const inputs = (clientSecret: object) => ({ name: "sso", oidc: { issuer: "https://i.example", clientId: "c", clientSecret } });
  const [hidden] = read({ type, name: "sso", id: `${root}/i`, inputs: inputs(ciphertext) }).managed;
  expect(hidden).toMatchObject({ encryptedPaths: [["oidc", "clientSecret"]], secretPaths: [["oidc", "clientSecret"]] });
  expect(hidden?.value).toEqual({ name: "sso", oidc: { issuer: "https://i.example", clientId: "c" } });
  const [open] = read({ type, name: "sso", id: `${root}/i`, inputs: inputs(plain) }).managed;
  expect(open).toMatchObject({ encryptedPaths: [], secretPaths: [["oidc", "clientSecret"]] });
  expect(open?.value["oidc"]).toMatchObject({ clientSecret: "the clients secret word" });
  expect(redact("it says the clients secret word")).toBe("it says [redacted]");
});

test("a list with one encrypted item is encrypted as a whole", () => {
  const capabilities = ["CAP_REPO_LIST", { ...mark, ciphertext: "v1" }];
  const [role] = read({ type: "platform:iam:Role", name: "r", id: `${root}/r`, inputs: { name: "r", capabilities } }).managed;
  expect(role?.value).toEqual({ name: "r" });
  expect(role?.encryptedPaths).toEqual([["capabilities"]]);
});

test("a GroupAccess stands for the role bindings of its members", () => {
  const outputs = {
    parentUid: `${root}/g`,
    access: { viewer: { zoe: "i1" }, owner: { ada: "i2" } },
    roleUids: { viewer: "r1", owner: "r2" },
    bindings: { viewer: { zoe: `${root}/g/b1` }, owner: { ada: `${root}/g/b2` } },
  };
  const type = "platform:iam:GroupAccess";
  const { managed, left } = read({ type, name: "a", id: `${root}/g`, inputs: outputs, outputs });
  expect(managed).toMatchObject([
    { kind: "iam:RoleBinding", uid: `${root}/g/b1`, place: `${root}/g`, value: { identityUid: "i1", roleUid: "r1" } },
    { kind: "iam:RoleBinding", uid: `${root}/g/b2`, place: `${root}/g`, value: { identityUid: "i2", roleUid: "r2" } },
  ]);
  expect([...left]).toEqual([]);
  // An update that removed ada from the program, and failed half-way.
  const inputs = { ...outputs, access: { viewer: { zoe: "i1" } } };
  // Secrets beside the members hide nothing of them.
  const exempt = { ...mark, ciphertext: "v1:x" };
  for (const secret of [{}, { exempt }, { __provider: exempt }]) {
    const states = { inputs: { ...inputs, ...secret }, outputs: { ...outputs, ...secret } };
    const halfDone = read({ type, name: "a", id: `${root}/g`, ...states });
    expect(halfDone.managed.map(({ uid }) => uid)).toEqual([`${root}/g/b1`]);
    expect([...halfDone.left]).toEqual([[`${root}/g/b2`, `urn:pulumi:prod::people::${type}::a`]]);
  }
});

test("a GroupAccess removes the role bindings in its group that it manages and neither declares nor exempts", () => {
  const outputs = {
    parentUid: `${root}/g`,
    access: { viewer: {} },
    roles: ["viewer", "owner"],
    exempt: { identityUids: ["i9"], roles: ["owner"] },
    roleUids: { viewer: "r1", owner: "r2" },
  };
  const type = "platform:iam:GroupAccess";
  const access = { type, name: "a", id: `${root}/g`, inputs: outputs, outputs };
  const binding = (identityUid: string, roleUid: string, group = "g") => ({
    uid: `${root}/${group}/b`,
    place: `${root}/${group}`,
    value: { identityUid, roleUid },
  });
  const { removerOf } = read(access);
  expect(removerOf(binding("i1", "r1"))).toBe(`urn:pulumi:prod::people::${type}::a`);
  for (const kept of [binding("i9", "r1"), binding("i1", "r2"), binding("i1", "r3"), binding("i1", "r1", "h")])
    expect(removerOf(kept)).toBeUndefined();
  expect(read({ ...access, delete: true }).removerOf(binding("i1", "r1"))).toBeUndefined();
});

test("several stacks are read together, also the files in which a backend keeps them", () => {
  const group = (name: string) => ({
    type: "platform:iam:Group",
    name,
    id: `${root}/${name}`,
    inputs: { parentUid: root, name },
  });
  const [one, two] = [exported([group("one")], "one"), exported([group("two")], "two")];
  const { deployment } = JSON.parse(two) as { deployment: object };
  const kept = JSON.stringify({ version: 3, checkpoint: { stack: "two", latest: deployment } });
  const { managed } = readStates(
    new Map([
      ["one", one],
      ["two", kept],
    ]),
  );
  expect(managed.map(({ stack }) => stack)).toEqual(["people/one", "people/two"]);
});

test.each([
  ["not JSON", "{", /^prod\.json is not JSON: /],
  ["another document", '{"resources":[]}', /^prod\.json is not a state\. Write one with `pulumi stack export/],
  ["a list", "[]", /^prod\.json is not a state\./],
])("%s is an error that names the file", (_, text, message) => {
  expect(() => readStates(new Map([["prod.json", text]]))).toThrow(message);
});

test("an empty stack has no objects", () => {
  expect(readStates(new Map([["s", '{"version":3,"deployment":{"manifest":{}}}']])).managed).toEqual([]);
});
