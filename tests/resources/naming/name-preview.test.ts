import { dynamicProvider, dynamically } from "../../../provider/host/dynamic";
import { Plugin } from "../../../provider/host/plugin/plugin";
import { typeToken } from "../../../provider/host/plugin/resources";
import { groupAccess } from "../../../provider/kinds/group-access";
import { groupAccessLife } from "../../../provider/resources/group-access/life";
import type { Caller } from "../../../provider/client/token-source";
import { Facts } from "../../../provider/resources/ledger/facts";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs, Kind } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import type { Outcome } from "../../support/fault-proxy";
import { refusal } from "../../support/interference";
import { clientOf } from "../../support/native-host";
import { NamesFixture, update } from "../../support/names-fixture";
import { digestOf, group, identity, role, roleBinding, tag } from "../../support/resource-fixture";

const names = NamesFixture.forFile();

/** The checks of one preview, and their messages. */
class Preview {
  readonly said: string[];
  readonly #run: Run;

  /**
   * @param facts those of the run. Default: none yet
   * @param as whose credentials. Default: some that see everything
   */
  constructor(
    private readonly door = "dynamic provider host",
    facts = new Facts(),
    as: { readonly token?: string; readonly caller: Caller } = { caller: { uid: names.platform.identity } },
  ) {
    // As the previews of a host, which wait for no platform.
    const timing = { firstDelayMs: Infinity, longestDelayMs: Infinity };
    const { client } = names.resources.run({ timing, ...as });
    const { run, told } = names.resources.told({ facts, preview: { client, caller: undefined } });
    [this.#run, this.said] = [run, told];
  }

  /** The reasons why the check of `news` fails. @param olds the inputs in state. Default: a new resource */
  async check(kind: Kind, news: Inputs, olds: Inputs = {}): Promise<string[]> {
    const runOf = () => this.#run;
    if (this.door === "plugin") {
      const { failures } = await clientOf(new Plugin([], runOf)).check(typeToken(kind), "it", news, olds);
      return failures.map(([, reason = ""]) => reason);
    }
    const provider = kind === groupAccess ? dynamically(groupAccessLife, runOf) : dynamicProvider(kind, runOf);
    return (await provider.check(olds, news)).failures.map(({ reason }) => reason);
  }

  diff(kind: Kind, uid: string, olds: Inputs, news: Inputs): Promise<unknown> {
    return dynamicProvider(kind, () => this.#run).diff(uid, olds, news);
  }
}

/** The requests for Lists, by what they list. New parents are looked up too. */
const lists = async () =>
  (await names.resources.asked("GET")).map((path) => path.split("/").at(-1)).filter((segment) => segment !== "groups");

const bound = (roleName: string, parentUid = names.team.uid) => ({ parentUid, identityUid: names.ci.uid, roleName });

describe.each(["dynamic provider host", "plugin"])(
  "through the %s, where these credentials may list the roles of the root, a preview",
  (door) => {
    test.each(["editr", "Editor", "edtior", "viewers"])(
      "rejects %s, which is a slip for a built-in role, for one List, and one of what these credentials hold",
      async (text) => {
        const preview = new Preview(door);
        const [reason = "", ...others] = await preview.check(roleBinding, bound(text));
        expect(reason).toMatch(new RegExp(`^roleName "${text}".*Did you mean "(editor|viewer)"\\?.*\\[NOT_FOUND\\]$`, "m"));
        expect(others).toEqual([]);
        expect(preview.said).toEqual([]);
        expect(await lists()).toEqual(["roles", "roleBindings"]);
      },
    );

    test("rejects such a role of a GroupAccess, wherever it is written", async () => {
      const access = { viewer: { ci: names.ci.uid } };
      const inputs = async () => ({ parentUid: await names.resources.parent(), access });
      const preview = new Preview(door);
      for (const wrong of [
        { access: { editr: access.viewer } },
        { roles: ["viewer", "editr"] },
        { exempt: { roles: ["editr"] } },
      ])
        expect(await preview.check(groupAccess, { ...(await inputs()), ...wrong })).toEqual([
          expect.stringContaining('role "editr"'),
        ]);
      expect(await preview.check(groupAccess, await inputs())).toEqual([]);
      expect(await lists()).toEqual(["roles", "roleBindings"]);
    });

    test("rejects such a role in a group that is not known yet", async () => {
      const preview = new Preview(door);
      expect(await preview.check(roleBinding, bound("editr", unknownValue))).toEqual([expect.stringContaining('"editr"')]);
    });
  },
);

describe("a preview only warns of a name that is one letter from a built-in role", () => {
  test("if its credentials see a part of the organisation: a custom role above may have it", async () => {
    const { platform, resources } = names;
    await resources.colleague(roleBinding, names.uids());
    await names.customRole(names.team.uid, "auditor");
    const editors = await names.customRole(platform.root, "editors");
    const preview = new Preview(undefined, undefined, await resources.as(names.ci.uid));
    expect(await preview.check(roleBinding, bound("editors"))).toEqual([]);
    expect(await preview.check(groupAccess, { parentUid: names.team.uid, access: { editors: { ci: names.ci.uid } } })).toEqual(
      [],
    );
    expect(preview.said).toEqual([
      expect.stringMatching(/^warning: role binding .*no custom role that these credentials see in .*\. Did you mean "editor"\?/),
      expect.stringMatching(/^warning: .*role "editors"/),
    ]);
    await platform.delete("roles", editors.uid);
  });

  test("if they may not list what they hold", async () => {
    const preview = new Preview();
    names.resources.proxy.interfere = ({ path }, forward) => (path.endsWith("/roleBindings") ? refusal(403, 7) : forward());
    expect(await preview.check(roleBinding, bound("editr"))).toEqual([]);
    expect(preview.said).toEqual([expect.stringMatching(/^warning: .*Did you mean "editor"\?.* rejects it with NOT_FOUND/)]);
  });
});

test.each<[string, string, (place: string) => Inputs, string]>([
  ["a role", "a built-in name is not near", () => ({ roleName: "deployer" }), "no built-in role has that name"],
  ["a parent", "its last name", (place) => ({ parentPath: `${place}x` }), "Did you mean"],
  ["an identity", "the group of its path", (place) => ({ identityRef: `${place}x/ci` }), "Did you mean"],
  ["an identity", "its name", (place) => ({ identityRef: `${place}/ic` }), 'Did you mean "ci"'],
])("a preview warns of %s that does not exist: %s; another stack may make it first", async (_what, _where, named, hint) => {
  const preview = new Preview();
  const { parentUid, identityUid, roleUid } = names.uids();
  const written = named(names.place);
  const inputs = {
    ...written,
    ...("parentPath" in written ? {} : { parentUid }),
    ...("identityRef" in written ? {} : { identityUid }),
    ...("roleName" in written ? {} : { roleUid }),
  };
  expect(await preview.check(roleBinding, inputs)).toEqual([]);
  expect(preview.said).toEqual([expect.stringMatching(/^warning: role binding .*`pulumi up` rejects it with NOT_FOUND/)]);
  expect(preview.said[0]).toContain(hint);
  for (const [name, text] of Object.entries(named(names.place)))
    expect(preview.said[0]?.split(`${name} "${String(text)}"`)).toHaveLength(2);
});

describe("a preview warns of a parent that does not exist, by one List, and of", () => {
  const nothing = "00".repeat(8);

  test.each<[string, Kind, () => Inputs]>([
    ["a group below one that exists", group, () => ({ parentUid: `${names.team.uid}/${nothing}`, name: "child" })],
    ["a group two levels below one", roleBinding, () => bound("viewer", `${names.team.uid}/${nothing}/${nothing}`)],
    ["the group of an access", groupAccess, () => ({ parentUid: `${names.team.uid}/${nothing}`, access: {} })],
    ["a group of an organisation that does not exist", group, () => ({ parentUid: "0f".repeat(20), name: "child" })],
    ["a repo", tag, () => ({ repoUid: `${names.team.uid}/${nothing}`, name: "latest", digest: digestOf("a") })],
  ])("%s", async (_what, kind, inputs) => {
    const preview = new Preview();
    const news = inputs();
    expect(await preview.check(kind, news)).toEqual([]);
    expect(preview.said).toEqual([expect.stringMatching(/^warning: .*these credentials see no .* rejects it with NOT_FOUND/)]);
    expect(preview.said[0]).toContain(String(news[kind.parentInput]));
  });

  test("nothing else: not of one that exists, that the state has, or that this program manages", async () => {
    const preview = new Preview();
    const child = (parentUid: string) => ({ parentUid, name: names.resources.name() });
    expect(await preview.check(group, child(names.team.uid))).toEqual([]);
    expect(await preview.check(group, child(names.team.uid))).toEqual([]);
    expect(await names.platform.requests()).toHaveLength(1);
    const gone = child(`${names.team.uid}/${nothing}`);
    expect(await preview.check(group, { ...gone, name: "other" }, gone)).toEqual([]);
    const { uid } = await names.platform.create("groups", names.team.uid, { name: "shop" });
    await names.platform.clearRequests();
    const shop = { parentUid: names.team.uid, name: "shop" };
    await preview.check(group, shop, shop);
    await preview.diff(group, uid, shop, shop);
    expect(await preview.check(group, child(uid))).toEqual([]);
    expect(await preview.check(group, child(unknownValue))).toEqual([]);
    expect([preview.said, await names.platform.requests()]).toEqual([[], []]);
  });

  test("nothing where these credentials see no group", async () => {
    const preview = new Preview();
    names.resources.proxy.interfere = async (_request, forward) => ({
      ...(await forward()),
      body: JSON.stringify({ groups: [] }),
    });
    expect(await preview.check(group, { parentUid: names.team.uid, name: "child" })).toEqual([]);
    expect(preview.said).toEqual([]);
  });
});

describe("a preview is silent about", () => {
  test("names that exist", async () => {
    const preview = new Preview();
    expect(await preview.check(roleBinding, names.named())).toEqual([]);
    expect(preview.said).toEqual([]);
  });

  test("what the state has, and asks nothing", async () => {
    const preview = new Preview();
    const inputs = { parentPath: `${names.place}x`, identityRef: `${names.place}x/ci`, roleName: "editr" };
    const access = { parentPath: `${names.place}x`, access: { editr: { ci: names.ci.uid } } };
    expect(await preview.check(roleBinding, inputs, inputs)).toEqual([]);
    expect(await preview.check(groupAccess, { ...access, roles: ["editr"] }, access)).toEqual([]);
    expect(preview.said).toEqual([]);
    expect(await names.platform.requests()).toEqual([]);
  });

  test.each<[string, Inputs]>([
    ["by its name", { name: "editr" }],
    ["by a name that is not known yet", { name: unknownValue }],
    ["by its new name", { name: "editr", old: "auditor" }],
  ])("a role that this run makes, %s", async (_how, { old, ...named }) => {
    const preview = new Preview();
    const inputs = { parentUid: names.team.uid, capabilities: ["CAP_REPO_LIST"], ...named };
    await preview.check(role, inputs, old === undefined ? {} : { ...inputs, name: old });
    expect(await preview.check(roleBinding, bound("editr"))).toEqual([]);
    expect(await preview.check(groupAccess, { parentUid: names.team.uid, access: { editr: { ci: names.ci.uid } } })).toEqual([]);
    expect(preview.said).toEqual([]);
  });

  test("a role that a resource of another provider makes", async () => {
    const facts = new Facts();
    await new Preview("plugin", facts).check(role, { parentUid: names.team.uid, name: "editr", capabilities: ["CAP_REPO_LIST"] });
    expect(await new Preview("plugin", facts).check(roleBinding, bound("editr"))).toEqual([]);
  });

  test("the path of a parent below a group that this run renames: `up` finds it", async () => {
    const preview = new Preview();
    const eng = { parentUid: names.team.uid, name: "eng" };
    const { uid } = await names.platform.create("groups", names.team.uid, { name: eng.name });
    await names.platform.create("groups", uid, { name: "shop" });
    await preview.check(group, { ...eng, name: "engineering" }, eng);
    const { identityUid, roleUid } = names.uids();
    const shop = (above: string) => ({ parentPath: `${names.place}/${above}/shop`, identityUid, roleUid });
    expect(await preview.check(roleBinding, shop("engineering"), shop(eng.name))).toEqual([]);
    expect(preview.said).toEqual([]);
  });

  test("the path of an identity in a new group: the program may make both before", async () => {
    const preview = new Preview();
    const login = { claimMatch: { issuer: "https://issuer.example", subject: "new" } };
    await preview.check(group, { parentUid: names.team.uid, name: "new" });
    await preview.check(identity, { parentUid: unknownValue, name: "robot", ...login });
    const { parentUid, roleUid } = names.uids();
    for (const path of ["new/robot", "robot"])
      expect(await preview.check(roleBinding, { parentUid, roleUid, identityRef: `${names.place}/${path}` })).toEqual([]);
    expect(preview.said).toEqual([]);
  });

  test.each<[string, Outcome]>([
    ["offline", "reset"],
    ["without rights", refusal(403, 7)],
  ])("everything %s, and asks once", async (_where, outcome) => {
    const preview = new Preview();
    let asked = 0;
    names.resources.proxy.interfere = () => (asked++, outcome);
    expect(await preview.check(roleBinding, bound("editr"))).toEqual([]);
    expect(await preview.check(group, { parentPath: "x/y", name: "child" })).toEqual([]);
    expect(preview.said).toEqual([]);
    expect(asked).toBe(1);
  });

  test("roles where the platform shows no built-in one", async () => {
    const preview = new Preview();
    names.resources.proxy.interfere = async ({ path }, forward) => {
      const answer = await forward();
      return path.endsWith("/roles") ? { ...answer, body: JSON.stringify({ roles: [] }) } : answer;
    };
    expect(await preview.check(roleBinding, bound("editr"))).toEqual([]);
    expect(preview.said).toEqual([]);
  });

  test("everything in an update, whose creates say it", async () => {
    const preview = new Preview();
    expect(await preview.check(roleBinding, { ...bound("editr"), ...update })).toEqual([]);
    expect(preview.said).toEqual([]);
  });
});

test("a preview rejects the path of a parent that the program itself declares: `up` always does", async () => {
  const preview = new Preview();
  await preview.check(group, { parentUid: names.team.uid, name: "shop" });
  const [reason] = await preview.check(group, { parentPath: `${names.place}/shop`, name: "child" });
  expect(reason).toContain("Pass the `uid` of that resource");
});
