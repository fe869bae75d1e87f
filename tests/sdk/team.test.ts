import * as pulumi from "@pulumi/pulumi";
import { githubActions, Team } from "../../sdk";
import { declaredBy } from "./components";
import { refusalOf } from "./support";

const root = "0123456789abcdef0123456789abcdef01234567";
const claimMatch = githubActions({ repository: "acme/shop", branch: "main" });
const construct = (more: object = {}) => new Team("shop", { parentUid: root, pipeline: { claimMatch }, ...more });

test("a team is a group, the identity of its pipeline, and bindings", async () => {
  let team: Team | undefined;
  const access = { editor: ["pipeline"], viewer: ["acme/security/scanner"] };
  const registered = await declaredBy(() => (team = construct({ description: "What customers see", access })));
  expect(registered).toEqual([
    { type: "Team", name: "shop", inputs: {} },
    { type: "Group", name: "shop", inputs: { parentUid: root, name: "shop", description: "What customers see" } },
    { type: "Identity", name: "shop/pipeline", inputs: { parentUid: "uid-of-shop", name: "pipeline", claimMatch } },
    {
      type: "RoleBinding",
      name: "shop:editor:pipeline",
      inputs: { parentUid: "uid-of-shop", identityUid: "uid-of-shop/pipeline", roleName: "editor" },
    },
    {
      type: "RoleBinding",
      name: "shop:viewer:/acme/security/scanner",
      inputs: { parentUid: "uid-of-shop", identityRef: "acme/security/scanner", roleName: "viewer" },
    },
  ]);
  expect(team?.uid).toBe(team?.group.uid);
  expect(team?.pipeline.name).toBeDefined();
});

test("names and other forms of the pipeline are as for a Group and an Identity", async () => {
  const registered = await declaredBy(() =>
    construct({
      name: "web shop",
      parentUid: pulumi.output(root),
      pipeline: { name: "ci", servicePrincipal: "SERVICE_PRINCIPAL_X" },
    }),
  );
  expect(registered.slice(1).map(({ inputs }) => inputs)).toEqual([
    { parentUid: root, name: "web shop" },
    { parentUid: "uid-of-shop", name: "ci", servicePrincipal: "SERVICE_PRINCIPAL_X" },
  ]);
});

test("a team may be below the group of another program, by its path", async () => {
  const registered = await declaredBy(() => construct({ parentUid: undefined, parentPath: "acme/engineering" }));
  const [, group, identity] = registered.map(({ inputs }) => inputs);
  expect(group).toEqual({ parentPath: "acme/engineering", name: "shop" });
  expect(identity).toMatchObject({ parentUid: "uid-of-shop" });
});

test.each<[string, object, string]>([
  [
    "an unknown argument",
    { pipline: {} },
    'Team "shop": "pipline" is not an argument of this function; did you mean "pipeline"?',
  ],
  ["no parent", { parentUid: undefined }, "set exactly one of parentUid and parentPath."],
  ["no form", { pipeline: {} }, "identities.pipeline: exactly one of claimMatch, staticKeys"],
  [
    "an unknown identity",
    { access: { editor: ["pipelin"] } },
    'access.editor: neither "shop" nor a group around it declares the identity "pipelin"',
  ],
])("%s is rejected before anything is declared", async (_, more, message) => {
  let text = "";
  expect(await declaredBy(() => (text = refusalOf(() => construct(more))))).toEqual([]);
  expect(text).toContain(message);
});

test("isInstance is true for this component only", async () => {
  let team: unknown;
  await declaredBy(() => (team = construct()));
  expect([team, undefined, {}].map((each) => Team.isInstance(each))).toEqual([true, false, false]);
});
