import * as pulumi from "@pulumi/pulumi";
import {
  getAdvisoriesOutput,
  getGroup,
  getGroupOutput,
  getGroups,
  getGroupsOutput,
  getRoleOutput,
  getTagOutput,
} from "../../sdk";
import { PlatformError } from "../../sdk";
import { plainRefusal, playEngine, runErrorOf, settled, usePlatform } from "./support";

const { platform } = usePlatform();

/** An output that never becomes known, as those of resources in a preview. */
const unknown = () => pulumi.output(pulumi.unknown) as pulumi.Output<unknown> as pulumi.Output<string>;

/** Plays an engine that creates each resource on request. */
class Engine {
  readonly created: string[] = [];
  #release: () => void = () => undefined;
  #gate = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  async start(preview = false): Promise<void> {
    await playEngine({
      newResource: async ({ name, inputs }) => {
        await this.#gate;
        this.created.push(name);
        return { id: preview ? undefined : `${name}-id`, state: inputs as object };
      },
      preview,
      isReal: true,
    });
  }

  release(): void {
    this.#release();
  }
}

class Thing extends pulumi.CustomResource {
  constructor(name: string, opts?: pulumi.CustomResourceOptions) {
    super("test:index:Thing", name, {}, opts);
  }
}

class Things extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:index:Things", name);
    for (const part of ["first", "second"]) new Thing(`${name}-${part}`, { parent: this });
  }
}

beforeEach(() => platform.clearRequests());

describe("arguments", () => {
  test("may be outputs and promises, also in lists", async () => {
    const root = platform.root;
    const { value } = await settled(getGroupsOutput({ uids: [pulumi.output(root)], pageSize: Promise.resolve(5) }));
    expect(value?.groups.map((group) => group.uid)).toEqual([root]);
  });

  test("may be left out", async () => {
    expect((await settled(getGroupsOutput())).value).toEqual(await getGroups());
  });

  test("that are unknown make the data source wait, and nothing is sent", async () => {
    expect(await settled(getGroupOutput({ name: "a", parentUid: unknown() }))).toMatchObject({ isKnown: false });
    expect(await settled(getGroupsOutput({ uids: ["a", unknown()] }))).toMatchObject({ isKnown: false });
    expect(await platform.requests()).toEqual([]);
  });

  test("that are secret make the result secret", async () => {
    expect(await settled(getGroupOutput({ uid: pulumi.secret(platform.root) }))).toMatchObject({
      isKnown: true,
      isSecret: true,
    });
    expect(await settled(getGroupOutput({ uid: platform.root }))).toMatchObject({ isSecret: false });
  });

  test("may come from another data source", async () => {
    const repos = await platform.named("repos", "static");
    const tag = getTagOutput({ name: "latest", repoUid: pulumi.output(repos.uid) });
    const digest: pulumi.Output<string> = tag.digest;
    expect((await settled(digest)).value).toMatch(/^sha256:/);
  });

  test("members of a result are typed outputs", async () => {
    const uid: pulumi.Output<string> = getRoleOutput({ name: "viewer" }).uid;
    const capabilities: pulumi.Output<string[]> = getRoleOutput({ name: "viewer" }).capabilities;
    expect((await settled(uid)).value).toBe(await platform.role("viewer"));
    expect((await settled(capabilities)).value).toContain("CAP_IAM_ROLES_LIST");
  });
});

describe("what is wrong with an argument that is known is reported at once, beside one that is not", () => {
  type Untyped = (args: object | null | string) => pulumi.Output<unknown>;
  const untyped = (call: (args: never) => pulumi.Output<unknown>) => call as Untyped;
  const [group, groups, advisories] = [untyped(getGroupOutput), untyped(getGroupsOutput), untyped(getAdvisoriesOutput)];

  test.each<[string, () => pulumi.Output<unknown>, string]>([
    ["an undeclared argument", () => group({ nmae: "a", parentUid: unknown() }), 'getGroup: "nmae" is not an argument'],
    ["one that is unknown itself", () => groups({ nmae: unknown() }), 'did you mean "name"?'],
    ["a uid that is none", () => group({ name: unknown(), parentUid: "a//b" }), 'parentUid "a//b" is not a uid'],
    ["a uid of a list", () => groups({ uids: [unknown(), "a b"] }), 'uids.1 "a b" is not a uid'],
    ["an empty text", () => group({ name: "", parentUid: unknown() }), "name must not be empty."],
    ["two ways at once", () => group({ uid: "a", name: "b", parentUid: unknown() }), "name must be omitted if uid is set."],
    [
      "two filters at once",
      () => advisories({ origin: "a", artifactNames: ["b"], query: unknown() }),
      "artifactNames must be omitted",
    ],
    ["text instead of the arguments", () => group("a"), "getGroup: the arguments must be one object"],
  ])("%s", async (_what, call, expected) => {
    expect(call).toThrow(pulumi.RunError);
    expect(call).toThrow(expected);
    expect(await platform.requests()).toEqual([]);
  });

  test("and so is a missing one, where nothing is left to wait for", async () => {
    expect(() => group({ parentUid: "a" })).toThrow("getGroup: name is required. Nothing was sent.");
    expect(() => untyped(getTagOutput)({ name: "a" })).toThrow(/^getTag: /);
    expect(await platform.requests()).toEqual([]);
  });

  test("also where it is an output or a promise", async () => {
    for (const parentUid of [pulumi.output("a//b"), Promise.resolve("a//b")]) {
      const failure = await settled(group({ name: unknown(), parentUid })).catch((error: unknown) => error);
      expect(plainRefusal(failure)).toContain('parentUid "a//b" is not a uid');
    }
  });

  test("but what only may be wrong waits until it is known", async () => {
    const none = pulumi.output(undefined);
    expect(await settled(group({ uid: unknown(), name: "a" }))).toMatchObject({ isKnown: false });
    expect(await settled(group({ parentUid: unknown() }))).toMatchObject({ isKnown: false });
    expect(await settled(group({ name: unknown(), uid: none, parentUid: none }))).toMatchObject({ isKnown: false });
    expect(await settled(group({ uid: platform.root, name: none }))).toMatchObject({ value: { uid: platform.root } });
    expect((await settled(groups(null))).value).toEqual(await getGroups());
  });
});

test("a failure is the one of the plain form, printed without a stack", async () => {
  expect(await runErrorOf(settled(getGroupOutput({ name: "noone" })))).toBe(await runErrorOf(getGroup({ name: "noone" })));
});

describe("what the program catches", () => {
  const message = "Invalid argument: uid";
  const violation = { field: "uid", description: "must match" };
  const body = JSON.stringify({
    code: 3,
    message,
    details: [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "BAD_UID", domain: "iam" },
      { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [violation] },
    ],
  });

  test.each<[string, () => Promise<unknown>]>([
    ["of the plain form", () => getGroup({ uid: platform.root })],
    ["of the Output form", () => settled(getGroupOutput({ uid: platform.root }))],
    ["of a list", () => getGroups({ name: "team" })],
  ])("%s is a PlatformError with the answer of the platform as data", async (_form, call) => {
    const headers = { "x-request-id": "req-5" };
    await platform.fault({ path: "/groups" }, { status: 400, body, headers, contentType: "application/json" }, { times: 0 });
    const failure: unknown = await call().catch((error: unknown) => error);
    await platform.clearFaults();
    expect(failure).toBeInstanceOf(PlatformError);
    expect(failure).toBeInstanceOf(pulumi.RunError);
    expect(failure).toMatchObject({
      code: "INVALID_ARGUMENT",
      status: 400,
      requestId: "req-5",
      fromPlatform: true,
      details: { reason: "BAD_UID", domain: "iam", fieldViolations: [violation] },
      message: expect.stringMatching(/ \[INVALID_ARGUMENT\]$/m) as string,
    });
  });

  test("before anything is sent is a PlatformError as well", async () => {
    const failure: unknown = await getGroup({ uid: "a//b" }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PlatformError);
    expect(failure).toMatchObject({ code: "INVALID_INPUT", status: undefined, details: { fieldViolations: [] } });
  });
});

describe("dependsOn", () => {
  test.each<[string, (thing: Thing) => NonNullable<pulumi.InvokeOutputOptions["dependsOn"]>]>([
    ["a resource", (thing) => thing],
    ["a list", (thing) => [thing]],
    ["an output of a list", (thing) => pulumi.output([thing])],
    ["a list of promises", (thing) => [Promise.resolve(thing)]],
  ])("%s: nothing is read before it exists", async (_form, wrap) => {
    const engine = new Engine();
    await engine.start();
    const read = settled(getGroupsOutput({}, { dependsOn: wrap(new Thing("thing")) }));
    await getGroups({ name: "a sign that others are served" });
    expect(await platform.requests()).toHaveLength(1);
    engine.release();
    expect((await read).value?.groups).toHaveLength(1);
    expect(engine.created).toEqual(["thing"]);
    expect(await platform.requests()).toHaveLength(2);
  });

  test("a component: nothing is read before all that it holds exists", async () => {
    const engine = new Engine();
    await engine.start();
    const read = settled(getGroupsOutput({}, { dependsOn: new Things("things") }));
    engine.release();
    await read;
    expect(engine.created).toEqual(expect.arrayContaining(["things-first", "things-second"]));
  });

  test("in a preview that creates the resource the result is unknown and nothing is sent", async () => {
    const engine = new Engine();
    await engine.start(true);
    engine.release();
    expect(await settled(getGroupsOutput({}, { dependsOn: new Thing("thing") }))).toMatchObject({ isKnown: false });
    expect(await settled(getGroupsOutput({}, { dependsOn: [new Things("things")] }))).toMatchObject({ isKnown: false });
    expect(await platform.requests()).toEqual([]);
  });
});
