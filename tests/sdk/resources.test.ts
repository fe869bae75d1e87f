import * as pulumi from "@pulumi/pulumi";
import { Group, GroupAccess, Identity, RoleBinding } from "../../sdk";
import { playEngine, refusalOf, type Registration, settled } from "./support";

let registered: Registration[];
beforeEach(async () => {
  registered = await playEngine();
});

const valueOf = async <Value>(output: pulumi.Output<Value>) => (await settled(output)).value;

async function registrationOf(resource: pulumi.CustomResource): Promise<Registration> {
  await valueOf(resource.urn);
  const [args] = registered;
  if (args === undefined || registered.length > 1) throw new Error(`${registered.length} resources were registered.`);
  return args;
}

test.each([
  ["a uid in place of arguments", () => new Group("team", "acme" as never), 'Group "team": the arguments must be one object'],
  ["a list", () => new RoleBinding("b", ["acme"] as never), 'RoleBinding "b": the arguments must be one object'],
  [
    "no name",
    () => new Group({ parentUid: "a" } as never, {} as never),
    "Group: the first argument must be the name of the resource",
  ],
  ["an empty name", () => new RoleBinding("", {} as never), "RoleBinding: the first argument must be the name of the resource"],
])("%s is one error, and nothing is registered", async (_, construct, message) => {
  expect(construct).toThrow(pulumi.RunError);
  expect(construct).toThrow(message);
  // Registrations arrive in order, so that an earlier one would be there by now.
  expect((await registrationOf(new Group("later", { parentUid: "acme" }))).name).toBe("later");
});

const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const kinds: [string, string, object, () => pulumi.CustomResource, unknown][] = [
  [
    "Group",
    "group",
    { parentUid: "a", name: "team", description: "d", adopt: true },
    () => new Group("team", { parentUid: "a", description: "d", adopt: true }),
    Group,
  ],
  [
    "Identity",
    "identity",
    { parentUid: "a", name: "ci", claimMatch },
    () => new Identity("ci", { parentUid: "a", claimMatch }),
    Identity,
  ],
  [
    "RoleBinding",
    "roleBinding",
    { parentUid: "a", identityUid: "a/i", roleUid: "r" },
    () => new RoleBinding("ci-viewer", { parentUid: "a", identityUid: "a/i", roleUid: "r" }),
    RoleBinding,
  ],
];

/** A resource class as an untyped program uses it. */
interface Untyped {
  new (name: string, args?: unknown, opts?: unknown): pulumi.CustomResource;
  get: (name: string, uid?: unknown, opts?: pulumi.CustomResourceOptions) => pulumi.CustomResource;
}

describe.each(kinds)("%s", (token, served, inputs, make, kind) => {
  const Kind = kind as Untyped;
  const text = `exports.handler = () => require("pulumi-platform/provider").${served}`;

  test("is known to the engine by its token, its arguments and the text that serves it", async () => {
    const { type, inputs: sent } = await registrationOf(make());
    expect(type).toBe(`pulumi-nodejs:dynamic/platform/iam:${token}`);
    expect(sent).toEqual({ ...inputs, __provider: text });
    expect(text.length).toBeLessThanOrEqual(120);
  });

  test("has its id as its uid, one and the same output", async () => {
    const resource = make() as pulumi.CustomResource & { uid: unknown };
    expect(resource.uid).toBe(resource.id);
    const { name } = await registrationOf(resource);
    expect(await valueOf(resource.id)).toBe(`uid-of-${name}`);
  });

  test("get by a uid passes the text and the uid to the engine, and no arguments", async () => {
    const resource = Kind.get("team", "a/b");
    const { id, inputs: sent, type } = await registrationOf(resource);
    expect({ id, type }).toEqual({ id: "a/b", type: `pulumi-nodejs:dynamic/platform/iam:${token}` });
    expect(sent).toEqual({ __provider: text });
    expect(await valueOf(resource.id)).toBe("a/b");
  });

  describe("get without a uid is rejected, and nothing is declared", () => {
    afterEach(() => {
      expect(registered).toEqual([]);
    });

    test.each([undefined, null, ""])("%j", (uid) => {
      expect(refusalOf(() => Kind.get("found", uid))).toBe(`${token} "found" cannot be read: uid is required.`);
    });

    test.each(["/", "a//b", "a/"])("%j", (uid) => {
      expect(refusalOf(() => Kind.get("found", uid))).toContain(`"found" cannot be read: uid "${uid}" is not a uid: `);
    });

    test("by the option of the engine", () => {
      expect(refusalOf(() => new Kind("found", {}, { id: "" }))).toBe(`${token} "found" cannot be read: uid is required.`);
      expect(refusalOf(() => new Kind("found", {}, { id: null }))).toBe(`${token} "found" cannot be read: uid is required.`);
      expect(refusalOf(() => new Kind("found", {}, { id: 7 }))).toBe(`${token} "found" cannot be read: uid must be a string.`);
    });

    test.each([
      ["output", (uid: unknown) => pulumi.output(uid)],
      ["promise", (uid: unknown) => Promise.resolve(uid)],
    ])("by an %s that turns out to hold none", async (_form, wrap) => {
      for (const uid of [undefined, null, "", "a//b"]) {
        let passed: pulumi.Input<pulumi.ID> | undefined;
        // Sees what the engine would receive, and withholds it.
        const spy: pulumi.ResourceTransformation = ({ opts }) => {
          passed = (opts as pulumi.CustomResourceOptions).id;
          throw new Error("seen");
        };
        expect(() => Kind.get("found", wrap(uid), { transformations: [spy] })).toThrow("seen");
        const failure = await settled(pulumi.output(passed)).catch((error: unknown) => error);
        expect(pulumi.RunError.isInstance(failure)).toBe(true);
        expect(failure).toMatchObject({ message: expect.stringContaining("cannot be read: uid ") as string });
      }
    });
  });

  test("get by a uid that is an output passes that uid to the engine", async () => {
    expect(await registrationOf(Kind.get("found", pulumi.output("a/b")))).toMatchObject({ id: "a/b" });
  });

  test("declared without arguments is left to the checks of the provider, which name what is missing", async () => {
    for (const args of [undefined, null, {}]) {
      registered.length = 0;
      const { inputs: sent } = await registrationOf(new Kind("found", args));
      expect(sent).toEqual({ ...(token !== "RoleBinding" && { name: "found" }), __provider: text });
    }
  });

  test("restores the form of stack traces", async () => {
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
  await playEngine({ newResource: ({ name, inputs }) => ({ id: name, state: { ...(inputs as object), createTime: "now" } }) });
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

test("an argument that contains itself is refused, with the path to it; one that is used twice is not", async () => {
  const claims: Record<string, unknown> = {};
  claims["ref"] = claims;
  const args = { parentUid: "a", claimMatch: { ...claimMatch, claims: claims as Record<string, string> } };
  expect(() => new Identity("ci", args)).toThrow(
    new pulumi.RunError('Identity "ci": claimMatch.claims.ref contains itself. Nothing was sent. [INVALID_INPUT]'),
  );
  expect(registered).toEqual([]);
  const exempt = ["a/i"];
  const { inputs } = await registrationOf(
    new GroupAccess("all", { parentUid: "a", access: {}, exempt: { identityUids: exempt, bindingUids: exempt } }),
  );
  expect(inputs).toMatchObject({ exempt: { identityUids: exempt, bindingUids: exempt } });
});
