import * as pulumi from "@pulumi/pulumi";
import { githubActions, gitlabCi, Group, Identity, RoleBinding } from "../../sdk";

/** What the engine is told about a resource. */
interface Registration {
  type: string;
  name: string;
  inputs: object;
  id?: string | undefined;
}

const registered: Registration[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: (args: Registration) => {
      registered.push(args);
      return {
        id: args.id === undefined || args.id === "" ? `uid-of-${args.name}` : args.id,
        state: { ...args.inputs, createTime: "now" },
      };
    },
    call: ({ inputs }) => inputs as object,
  });
});
beforeEach(() => {
  registered.length = 0;
});

const valueOf = <Value>(output: pulumi.Output<Value>) => new Promise<Value>((resolve) => output.apply(resolve));

async function registrationOf(resource: pulumi.CustomResource): Promise<Registration> {
  await valueOf(resource.urn);
  const [args] = registered;
  if (args === undefined || registered.length > 1) throw new Error(`${registered.length} resources were registered.`);
  return args;
}

const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const kinds: [string, string, object, () => pulumi.CustomResource, () => pulumi.CustomResource][] = [
  [
    "Group",
    "group",
    { parentUid: "a", name: "team", description: "d", adopt: true },
    () => new Group("team", { parentUid: "a", description: "d", adopt: true }),
    () => Group.get("team", "a/b"),
  ],
  [
    "Identity",
    "identity",
    { parentUid: "a", name: "ci", claimMatch },
    () => new Identity("ci", { parentUid: "a", claimMatch }),
    () => Identity.get("ci", "a/b"),
  ],
  [
    "RoleBinding",
    "roleBinding",
    { parentUid: "a", identityUid: "a/i", roleUid: "r" },
    () => new RoleBinding("ci-viewer", { parentUid: "a", identityUid: "a/i", roleUid: "r" }),
    () => RoleBinding.get("ci-viewer", "a/b"),
  ],
];

describe.each(kinds)("%s", (token, served, inputs, make, get) => {
  const text = `exports.handler = () => require("pulumi-platform/provider").${served}`;

  test("is known to the engine by its token, its arguments and the text that serves it", async () => {
    const { type, inputs: told } = await registrationOf(make());
    expect(type).toBe(`pulumi-nodejs:dynamic/platform/iam:${token}`);
    expect(told).toEqual({ ...inputs, __provider: text });
    expect(text.length).toBeLessThanOrEqual(120);
  });

  test("has its id as its uid, one and the same output", async () => {
    const resource = make() as pulumi.CustomResource & { uid: unknown };
    expect(resource.uid).toBe(resource.id);
    const { name } = await registrationOf(resource);
    expect(await valueOf(resource.id)).toBe(`uid-of-${name}`);
  });

  test("got by its uid tells the engine the text and the uid, and no arguments", async () => {
    const resource = get();
    const { id, inputs: told, type } = await registrationOf(resource);
    expect({ id, type }).toEqual({ id: "a/b", type: `pulumi-nodejs:dynamic/platform/iam:${token}` });
    expect(told).toEqual({ __provider: text });
    expect(await valueOf(resource.id)).toBe("a/b");
  });

  test("leaves the form of stacks as it was", async () => {
    const before: unknown = Reflect.get(Error, "prepareStackTrace");
    await registrationOf(make());
    expect(Reflect.get(Error, "prepareStackTrace")).toBe(before);
  });
});

test("the name is the logical name, unless there is one, known or not", async () => {
  expect((await registrationOf(new Group("logical", { parentUid: "a", name: "given" }))).inputs).toMatchObject({ name: "given" });
  registered.length = 0;
  expect((await registrationOf(new Group("logical", { parentUid: "a", name: pulumi.output("later") }))).inputs).toMatchObject({
    name: "later",
  });
  registered.length = 0;
  expect((await registrationOf(new Group("logical", { parentUid: "a", name: "" }))).inputs).toMatchObject({ name: "" });
});

test("outputs carry what the engine answers", async () => {
  const group = new Group("team", { parentUid: "a" });
  expect(await valueOf(pulumi.all([group.parentUid, group.name, group.createTime]))).toEqual(["a", "team", "now"]);
});

test.each([undefined, (error: Error) => `own form of ${error.message}`])(
  "the form of stacks is put back when the constructor throws (%p)",
  (own) => {
    const before: unknown = Reflect.get(Error, "prepareStackTrace");
    Reflect.set(Error, "prepareStackTrace", own);
    try {
      expect(() => new Group("", { parentUid: "a" })).toThrow();
      expect(Reflect.get(Error, "prepareStackTrace")).toBe(own);
    } finally {
      Reflect.set(Error, "prepareStackTrace", before);
    }
  },
);

const github = "https://token.actions.githubusercontent.com";
const claims: [string, object, object][] = [
  [
    "branch",
    githubActions({ repository: "acme/shop", branch: "main" }),
    { issuer: github, subject: "repo:acme/shop:ref:refs/heads/main" },
  ],
  ["tag", githubActions({ repository: "acme/shop", tag: "v1" }), { issuer: github, subject: "repo:acme/shop:ref:refs/tags/v1" }],
  [
    "environment",
    githubActions({ repository: "acme/shop", environment: "prod" }),
    { issuer: github, subject: "repo:acme/shop:environment:prod" },
  ],
  [
    "pull request",
    githubActions({ repository: "acme/shop", pullRequest: true }),
    { issuer: github, subject: "repo:acme/shop:pull_request" },
  ],
  [
    "GitLab branch",
    gitlabCi({ project: "acme/web/shop", branch: "main" }),
    { issuer: "https://gitlab.com", subject: "project_path:acme/web/shop:ref_type:branch:ref:main" },
  ],
  [
    "GitLab tag of another server",
    gitlabCi({ project: "acme/shop", tag: "v1", server: "https://git.example" }),
    { issuer: "https://git.example", subject: "project_path:acme/shop:ref_type:tag:ref:v1" },
  ],
];

test.each(claims)("the claims of a %s are those of its tokens", (_what, made, expected) => {
  expect(made).toEqual(expected);
});
