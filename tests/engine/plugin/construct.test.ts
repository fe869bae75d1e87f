import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";
import { TestPlatform } from "../../support/test-platform";
import { head } from "./remote";

useProject("", { door: "native" });
const there = TestPlatform.forFile();

/** A tree and a team, declared by `how`. */
const tree = (how: "native" | "remote", description = "first", options = "{}") => `${head}
  ${how}("Organization", "acme", {
    parentUid: root,
    groups: {
      engineering: {
        description: ${JSON.stringify(description)},
        access: { viewer: ["acme/engineering/shop/ci"] },
        groups: { shop: { identities: { ci: { claimMatch: login } }, access: { editor: ["ci"] } } },
      },
    },
  }, ${options});
  ${how}("Team", "web", {
    parentUid: root,
    pipeline: { claimMatch: { ...login, subject: "web" } },
    access: { editor: ["pipeline"] },
  }, ${options});`;

/** Parts of all resources in state, the components among them. */
async function placed(): Promise<string[][]> {
  const { checkpoint } = JSON.parse(await project.storedState()) as {
    checkpoint: { latest: { resources: { urn: string; id?: string; parent?: string; outputs?: object }[] } };
  };
  return checkpoint.latest.resources
    .filter(({ urn }) => urn.includes("platform:iam:"))
    .map(({ urn, id = "", parent = "", outputs }) => [urn, id, parent, JSON.stringify(outputs)])
    .sort();
}

test("components have the state of their classes: moving between the two writes nothing; they change and are destroyed", async () => {
  await project.program(tree("remote"));
  await succeed(project.preview());
  await succeed(project.up());
  const made = await placed();
  expect(made.map(([urn = ""]) => urn.split("::").slice(2).join(" "))).toEqual([
    "platform:iam:Organization$platform:iam:Group acme/engineering",
    "platform:iam:Organization$platform:iam:Group acme/engineering/shop",
    "platform:iam:Organization$platform:iam:Identity acme/engineering/shop/ci",
    "platform:iam:Organization$platform:iam:RoleBinding acme/engineering/shop:editor:engineering/shop/ci",
    "platform:iam:Organization$platform:iam:RoleBinding acme/engineering:viewer:engineering/shop/ci",
    "platform:iam:Organization acme",
    "platform:iam:Team$platform:iam:Group web",
    "platform:iam:Team$platform:iam:Identity web/pipeline",
    "platform:iam:Team$platform:iam:RoleBinding web:editor:pipeline",
    "platform:iam:Team web",
  ]);
  expect(await project.storedState()).not.toContain(process.cwd());
  await platform.clearRequests();
  await project.program(tree("native"));
  await succeed(project.preview("--expect-no-changes"));
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await placed()).toEqual(made);
  await project.program(tree("remote"));
  await succeed(project.up("--expect-no-changes"));
  expect(await placed()).toEqual(made);
  expect(await platform.writes()).toEqual([]);

  await project.program(tree("remote", "second"));
  expect((await succeed(project.up())).steps).toEqual(["update Group acme/engineering"]);
  expect((await platform.named("groups", "engineering"))["description"]).toBe("second");
  await succeed(project.destroy());
  expect(await platform.groupNames()).toEqual([]);
});

test("secrets of a resource and of a component are encrypted in state", async () => {
  await project.program(`${head}
    new Group("plain", { parentUid: root, description: pulumi.secret("hidden in a group") });
    new Identity("ci", { parentUid: root, claimMatch: { ...login, subject: pulumi.secret("hidden-login") } });
    remote("Team", "team", {
      parentUid: root,
      description: pulumi.secret("hidden in a team"),
      pipeline: { claimMatch: pulumi.secret({ ...login, subject: "hidden-team-login" }) },
    });
    remote("Organization", "acme", {
      parentUid: root,
      groups: { shop: { description: pulumi.secret("hidden in a tree") }, shown: { description: "shown" } },
    });`);
  const plain = async () => {
    const state = await project.storedState();
    expect(state).toContain('"shown"');
    return state.match(/hidden[\w -]*/g) ?? [];
  };
  expect((await succeed(project.up("--diff"))).output).not.toContain("hidden");
  expect(await plain()).toEqual([]);
  expect((await platform.named("groups", "shop"))["description"]).toBe("hidden in a tree");
  expect((await platform.named("identities", "ci"))["claimMatch"]).toMatchObject({ subject: "hidden-login" });
  await succeed(project.refresh());
  expect(await plain()).toEqual([]);
  await succeed(project.up("--refresh", "--run-program", "--expect-no-changes"));
  expect(await plain()).toEqual([]);
});

test("a preview constructs a tree below a group that is not made yet, and replaces nothing below one that changes", async () => {
  const program = (description: string) => `${head}
    const top = new Group("top", { parentUid: root, description: "${description}" });
    const made = remote("Organization", "acme", {
      parentUid: top.uid,
      groups: { shop: { description: top.description, identities: { ci: { claimMatch: login } }, access: { viewer: ["ci"] } } },
    });
    new Group("below", { parentUid: made.groups.apply((groups) => groups["acme/shop"]) });`;
  await project.program(program("first"));
  const created = ["create Group acme/shop", "create Group below", "create Group top", "create Identity acme/shop/ci"];
  const all = [...created, "create RoleBinding acme/shop:viewer:shop/ci"];
  expect((await succeed(project.preview())).steps.sort()).toEqual(all);
  expect((await succeed(project.up())).steps.sort()).toEqual(all);
  await project.program(program("second"));
  const updated = ["update Group acme/shop", "update Group top"];
  expect((await succeed(project.preview())).steps.sort()).toEqual(updated);
  expect((await succeed(project.up())).steps.sort()).toEqual(updated);
  // A destroy deletes what is in the tree before the group around it.
  await succeed(project.destroy());
});

test("the error of a component names its keys, and the component beside it is made whole", async () => {
  await project.program(`${head}
    remote("Organization", "bad", { parentUid: root, groups: { shop: { descripton: "x", access: { viewer: ["nobody"] } } } });
    remote("Organization", "good", {
      parentUid: root,
      groups: Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, { groups: { inner: { groups: { most: {} } } } }])),
    });
    remote("Organization", "worse", { parentUid: root, groups: { shop: { description: "one\\ntwo" } } });`);
  const { output } = await fail(
    project.up(),
    'Organization "bad" has 2 problems. Nothing was declared.',
    'groups.shop: "descripton" is not a key of group; did you mean "description"?',
    'Organization "worse" has 1 problem.',
  );
  expect(output).not.toMatch(/closing|terminating|unhandled|resource-plugin/i);
  const names = (await project.resources()).map(({ urn }) => urn.split("::").at(-1));
  expect(names).toHaveLength(12);
  expect(names).toContain("good/d/inner/most");
});

test("a resource that fails in a component is named once, without frames of the plugin", async () => {
  await platform.create("groups", platform.root, { name: "taken", description: "of somebody else" });
  await project.program(`${head}
    remote("Organization", "acme", { parentUid: root, groups: { taken: { groups: { below: {} } }, free: {} } });
    remote("Team", "web", { parentUid: root, pipeline: { claimMatch: login } });`);
  const { output } = await fail(project.up(), "KEY_TAKEN");
  expect(output).toMatch(
    /'acme' has a problem: The run ended before all resources of the component were declared. \[CALLER_ABORTED\]/,
  );
  expect(output).not.toMatch(/closing|terminating|unhandled|resource-plugin/i);
});

longTest("a provider of a component serves its resources", async () => {
  const args = { baseUrl: there.baseUrl, identity: there.identity, oidcTokenFile: there.oidcTokenFile };
  const provider = `const other = new platform.Provider("other", ${JSON.stringify(args)});`;
  await project.program(
    `${provider}${tree("remote", "first", "{ provider: other }").replaceAll("root", JSON.stringify(there.root))}`,
  );
  await succeed(project.up());
  expect((await there.groupNames()).sort()).toEqual(["engineering", "shop", "web"]);
  expect(await platform.groupNames()).toEqual([]);
  await project.program(
    `${provider}${tree("native", "first", "{ provider: other }").replaceAll("root", JSON.stringify(there.root))}`,
  );
  await succeed(project.preview("--expect-no-changes"));
  await succeed(project.destroy("--target", "**shop/ci**", "--target-dependents"));
  expect((await there.groupNames()).sort()).toEqual(["engineering", "shop", "web"]);
  await succeed(project.destroy());
  expect(await there.groupNames()).toEqual([]);
});
