import type { PluginClient } from "../support/plugin-client";
import { newPlugin, pluginForEach } from "./plugin-on-platform";
import type { TestPlatform } from "../support/test-platform";

const all = pluginForEach();
let platform: TestPlatform;
let plugin: PluginClient;
beforeEach(() => ({ platform, plugin } = all));

const identity = "platform:iam:Identity";
const binding = "platform:iam:RoleBinding";
const invite = "platform:iam:GroupInvite";

describe("an object whose declared name stands for another object by now", () => {
  const login = (subject: string) => ({ issuer: "https://issuer.example", subject });

  /** A binding that a program declares by the identity `ci` and the role `viewer`, and what was made of it by hand. */
  async function drifted(declared: object, change: (to: { eve: string; owner: string }) => object) {
    const { uid: ci } = await platform.create("identities", platform.root, { name: "ci", claimMatch: login("ci") });
    const { uid: eve } = await platform.create("identities", platform.root, { name: "eve", claimMatch: login("eve") });
    const [viewer, owner] = [await platform.role("viewer"), await platform.role("owner")];
    const ofBoth = { identityUid: ci, roleUid: viewer, ...declared } as Record<string, unknown>;
    const { identityRef, roleName, identityUid, roleUid } = ofBoth;
    const news = {
      parentUid: platform.root,
      ...(identityRef === undefined ? { identityUid } : { identityRef }),
      ...(roleName === undefined ? { roleUid } : { roleName }),
    };
    const { inputs } = await plugin.check(binding, "it", news);
    const { id, outs } = await plugin.create(binding, inputs);
    await platform.change("roleBindings", id, change({ eve, owner }));
    const { outs: olds } = await plugin.read(binding, id, outs);
    return { id, olds, inputs };
  }

  const cases = {
    "a role": [{ roleName: "viewer" }, ({ owner }: { owner: string }) => ({ roleUid: owner }), "role", "roleUid", "roleName"],
    "an identity by login": [
      { identityRef: login("ci") },
      ({ eve }: { eve: string }) => ({ identityUid: eve }),
      "identity",
      "identityUid",
      "identityRef",
    ],
    "an identity by path": [
      { identityRef: "acme.example/ci" },
      ({ eve }: { eve: string }) => ({ identityUid: eve }),
      "identity",
      "identityUid",
      "identityRef",
    ],
  } as const;

  test.each(Object.entries(cases))(
    "%s: a refresh shows its uid and name, not a text that stayed",
    async (_, [declared, ...rest]) => {
      const [change, output, uid] = rest;
      const { id, olds, inputs } = await drifted(declared, change);
      // A new process: no check comes before the diff of a refresh.
      plugin = await newPlugin();
      expect(await plugin.diff(binding, id, olds, inputs)).toMatchObject({
        changes: true,
        detailed: { [uid]: "UPDATE", [output]: "UPDATE" },
      });
      expect(Object.keys((await plugin.diff(binding, id, olds, inputs)).detailed).sort()).toEqual([output, uid].sort());
    },
  );

  test.each(Object.entries(cases))(
    "%s: the repair takes away what it is by now, and gives what is declared",
    async (_, [declared, ...rest]) => {
      const [change, output, uid, name] = rest;
      const { id, olds, inputs } = await drifted(declared, change);
      await plugin.check(binding, "it", inputs, inputs);
      expect((await plugin.diff(binding, id, olds, inputs)).detailed).toEqual({
        [name]: "ADD",
        [uid]: "UPDATE",
        [output]: "DELETE",
      });
    },
  );

  test("a change of the text does not hide it", async () => {
    const { id, olds, inputs } = await drifted({ roleName: "viewer" }, ({ owner }) => ({ roleUid: owner }));
    const news = { ...inputs, roleName: "editor" };
    await plugin.check(binding, "it", news, inputs);
    expect((await plugin.diff(binding, id, olds, news)).detailed).toEqual({
      roleName: "UPDATE",
      roleUid: "UPDATE",
      role: "DELETE",
    });
  });

  test("a uid that differs shows the name of its object in a refresh", async () => {
    const { id, olds, inputs } = await drifted({}, ({ owner }) => ({ roleUid: owner }));
    plugin = await newPlugin();
    expect((await plugin.diff(binding, id, olds, inputs)).detailed).toEqual({ roleUid: "UPDATE", role: "UPDATE" });
  });

  test("where it replaces the object, the uid is shown as what replaces", async () => {
    const olds = { parentUid: "a", roleName: "viewer", roleUid: "o", role: { name: "owner" }, __resolved: { roleUid: "v" } };
    const result = await plugin.diff(invite, "a/b", { ...olds, ttl: "60s" }, { parentUid: "a", roleName: "viewer", ttl: "60s" });
    expect(result).toMatchObject({ replaces: ["roleName"], detailed: { roleUid: "UPDATE_REPLACE", role: "UPDATE" } });
  });
});

test("what the platform has filled in does not appear in the diff of another field", async () => {
  const staticKeys = { issuer: "https://issuer.example", subject: "ci", issuerKeys: "{}" };
  const olds = { parentUid: "a", name: "ci", staticKeys: { ...staticKeys, expirationTime: "2027-01-01T00:00:00Z" } };
  const diff = (news: object) => plugin.diff(identity, "a/b", olds, { parentUid: "a", name: "ci", ...news });
  expect((await diff({ staticKeys: { ...staticKeys, subject: "other" } })).detailed).toEqual({ "staticKeys.subject": "UPDATE" });
  expect((await diff({ staticKeys: { ...staticKeys, expirationTime: "2028-01-01T00:00:00Z" } })).detailed).toEqual({
    "staticKeys.expirationTime": "UPDATE",
  });
  expect((await diff({ claimMatch: { issuer: "https://issuer.example", subject: "ci" } })).detailed).toEqual({
    claimMatch: "ADD_REPLACE",
    staticKeys: "DELETE_REPLACE",
  });
});
