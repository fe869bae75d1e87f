import { readFileSync } from "node:fs";
import path from "node:path";
import { reviewOf } from "../../cli/review/review";
import { pluginDownloadUrl, version } from "../../provider/client/version";
import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  deleted,
  giving,
  identity,
  made,
  object,
  offline,
  previewOf,
  providerOf,
  providerStep,
  reads,
  reviewed,
  root,
  type Step,
  stays,
  step,
  undecidedIn,
} from "../support/preview-steps";

// The code and the platform of a program's resources are a part of the effect of an update.

const hosted = { form: "pulumi-nodejs:dynamic/platform/iam:" };
const binding = giving("owner");
const owns = made("RoleBinding", "own", binding);
const gives = made("RoleBinding", "own", binding, hosted);
const ci = stays("Identity", "ci", identity("ci"));
const objects = [acme, object("Identity", `${root}/ci`, identity("ci"))];
const isOwn = [expect.stringMatching(/^what own does$/)];

/** The same step, with other members of its states. */
const withStates = (shown: object, change: (state: { inputs: object; outputs?: object }) => object) => {
  const sides = (["oldState", "newState"] as const).flatMap((side) => {
    const state = (shown as Record<string, { inputs: object } | undefined>)[side];
    return state ? [[side, { ...state, ...change(state) }] as const] : [];
  });
  return { ...shown, ...Object.fromEntries(sides) };
};
const swapped = (shown: object, __provider: unknown) =>
  withStates(shown, ({ inputs, outputs }) => ({
    inputs: { ...inputs, __provider },
    ...(outputs && { outputs: { ...outputs, __provider } }),
  }));

const evil = 'exports.handler = () => require("pulumi-platform/provider").roleBinding';
const dynamic = (op: string, was: unknown, is: unknown, type = "pulumi-nodejs:dynamic:Resource") => {
  const state = { urn: `urn:pulumi:a::b::${type}::own`, type, custom: true, id: "own", provider: providerOf(type) };
  const of = (__provider: unknown) => ({ ...state, inputs: { ...binding, __provider }, outputs: { __provider } });
  return { op, urn: state.urn, ...(was !== undefined && { oldState: of(was) }), ...(is !== undefined && { newState: of(is) }) };
};

describe("the text by which the engine loads the code of a resource", () => {
  test.each<[string, object]>([
    ["a foreign type is created with it", dynamic("create", undefined, evil)],
    ["a foreign type is changed", dynamic("update", evil, evil)],
    ["a foreign type is deleted", dynamic("delete", evil, undefined)],
    ["a foreign type gets another one", dynamic("same", "exports.handler = () => ({})", evil)],
    ["a foreign type is first read by it", dynamic("read", undefined, evil)],
    ["a type of the host with another name", dynamic("create", undefined, evil, "pulumi-nodejs:other:Thing")],
    ["a type of another host", dynamic("create", undefined, "gAR...", "pulumi-python:dynamic:Resource")],
    ["a foreign type with a secret text", dynamic("update", "[secret]", "[secret]")],
    ["a foreign type with an unknown text", dynamic("same", evil, unknownValue)],
    ["that of another kind", swapped(made("Group", "own", { parentUid: root, name: "own" }, hosted), evil)],
    ["one that is longer", swapped(gives, `${evil};`)],
    ["a secret", swapped(gives, "[secret]")],
    ["not known yet", swapped(gives, unknownValue)],
    ["none", swapped(gives, undefined)],
    ["that of a resource which stays as it is", swapped(step("RoleBinding", "own", binding, binding, hosted), "exports.handler")],
    [
      "in the outputs only",
      withStates(step("RoleBinding", "own", binding, binding, hosted), ({ outputs }) =>
        outputs ? { outputs: { ...outputs, __provider: "x" } } : {},
      ),
    ],
    ["of what is deleted", swapped(deleted(step("RoleBinding", "own", binding, binding, hosted)), "exports.handler")],
    [
      "a form of the type that is not ours",
      {
        ...swapped(gives, evil),
        newState: { ...swapped(gives, evil), ...gives.newState, type: "pulumi-nodejs:dynamic/platform/iam/x:RoleBinding" },
      },
    ],
  ])("is undecided by the name of the resource: %s", (_, shown) => {
    for (const known of [{}, { objects }]) {
      const found = reviewed([ci, shown], known);
      expect([undecidedIn(found), found.changes, found.bounds]).toEqual([isOwn, [], "lower"]);
    }
  });

  test.each<[string, object]>([
    ["that of its type", gives],
    ["a foreign type that stays as it is", dynamic("same", evil, evil)],
    ["a foreign type with a secret text that stays as it is", dynamic("same", "[secret]", "[secret]")],
    ["a foreign type that a refresh reads", dynamic("refresh", evil, evil)],
    [
      "a resource of another package",
      { ...dynamic("create", undefined, undefined), newState: { urn: "u", type: "random:index:Pet", custom: true, inputs: {} } },
    ],
  ])("does not matter: %s", (_, shown) => {
    expect(undecidedIn(reviewed([ci, shown], { objects }))).toEqual([]);
  });
});

const by = (shown: object, name: string) => withStates(shown, () => ({ provider: providerOf("platform:", name) }));
const staying = stays("RoleBinding", "own", binding);

describe("a plugin that is not of this release", () => {
  const tag = `default_${version.replaceAll(".", "_")}`;

  test.each<[string, object[]]>([
    ["another version", [by(owns, "default_9_9_9")]],
    ["another version of what stays as it is", [by(staying, "default_9_9_9")]],
    ["a download address", [by(owns, "default_https_/evil.example")]],
    ["this version and a download address", [by(owns, `${tag}_https_/evil.example`)]],
    ["a name that hides its step", [by(owns, "default-eu")]],
    ["a version of an explicit provider", [providerStep("p", undefined, { version: "9.9.9", __internal: {} }), by(owns, "p")]],
    [
      "an address of an explicit provider",
      [providerStep("p", undefined, { __internal: { pluginDownloadURL: "https://evil.example" } }), by(owns, "p")],
    ],
    [
      "an address as older engines note it",
      [providerStep("p", undefined, { pluginDownloadURL: "https://evil.example" }), by(owns, "p")],
    ],
    [
      "a package that another plugin stands for",
      [providerStep("p", undefined, { __internal: { parameterization: {}, name: "evil", version } }), by(owns, "p")],
    ],
    ["a name of another plugin", [providerStep("p", undefined, { __internal: { name: "evil" } }), by(owns, "p")]],
    [
      "other variables",
      [providerStep("p", undefined, { __internal: { envVarMappings: { X: "PLATFORM_TOKEN" } } }), by(owns, "p")],
    ],
    ["a provider that the preview does not show", [by(owns, "p")]],
    ["no provider", [withStates(owns, () => ({ provider: undefined }))]],
    ["a provider of another package", [withStates(owns, () => ({ provider: providerOf("evil:") }))]],
    [
      "the host of dynamic providers",
      [
        swapped(
          withStates(owns, () => ({ provider: providerOf("pulumi-nodejs:") })),
          evil,
        ),
      ],
    ],
    ["the old one, which deletes", [deleted(by(staying, "default_9_9_9") as never)]],
    [
      "the old one, which deletes what is replaced",
      [
        {
          ...step("RoleBinding", "own", binding, giving("viewer"), { op: "replace" }),
          oldState: { ...staying.oldState, provider: providerOf("platform:", "default_9_9_9") },
        },
      ],
    ],
    ["hooks", [withStates(owns, () => ({ resourceHooks: { beforeCreate: ["h"] } }))]],
    ["hooks of the host", [withStates(gives, () => ({ resourceHooks: { afterCreate: ["h"] } }))]],
    ["hooks of what is deleted", [deleted(staying, { resourceHooks: { beforeDelete: ["h"] } })]],
    [
      "an address of the host",
      [withStates(gives, () => ({ provider: providerOf("pulumi-nodejs:", "default_https_/evil.example") }))],
    ],
    ["a version of the host", [withStates(gives, () => ({ provider: providerOf("pulumi-nodejs:", tag) }))]],
  ])("is undecided by the name of the resource: %s", (_, steps) => {
    const found = reviewed([ci, ...steps], { objects });
    expect([undecidedIn(found), found.changes]).toEqual([isOwn, []]);
  });

  test.each<[string, object[]]>([
    ["this version", [by(owns, tag)]],
    ["this version of an explicit provider", [providerStep("p", undefined, { version, __internal: {} }), by(owns, "p")]],
    [
      "an older one that a state names",
      [
        {
          ...step("RoleBinding", "own", binding, giving("viewer")),
          oldState: { ...staying.oldState, provider: providerOf("platform:", "default_0_0_1") },
        },
      ],
    ],
    ["hooks of what stays as it is", [withStates(staying, () => ({ resourceHooks: { beforeCreate: ["h"] } }))]],
    ["no hooks", [withStates(owns, () => ({ resourceHooks: {} }))]],
  ])("is another thing than %s", (_, steps) => {
    expect(undecidedIn(reviewed([ci, ...steps], { objects }))).toEqual([]);
  });

  test("the published address is the one in schema.json", () => {
    const schema = JSON.parse(readFileSync(path.join(__dirname, "../../schema.json"), "utf8")) as { pluginDownloadURL?: string };
    expect(pluginDownloadUrl).toBe(schema.pluginDownloadURL);
  });
});

const address = "https://api.acme.example";
const elsewhere = "https://api.other.example";
const own = { arguments: "baseUrl,tokenCommand", baseUrl: elsewhere, tokenCommand: "printenv s3cret" };
const changes = step("RoleBinding", "own", binding, giving("viewer"));

/** The review of a preview of a stack with this configuration. */
const configured = (config: object, steps: object[], known: object = { objects, address }, former?: object) => {
  const file = { ...previewOf(ci, ...steps), config: { ...config }, ...(former && { formerSettings: { ...former } }) };
  return reviewOf(file, { ...offline, ...known });
};

describe("a provider of another platform", () => {
  test.each<[string, object, object[]]>([
    ["another address", {}, [providerStep("p", undefined, own), by(owns, "p")]],
    [
      "its own address, even if it is the same",
      { "platform:baseUrl": address },
      [providerStep("p", undefined, { arguments: "baseUrl", baseUrl: address }), by(owns, "p")],
    ],
    ["an address that the stack has not", {}, [providerStep("p", undefined, { baseUrl: elsewhere }), by(owns, "p")]],
    [
      "an address that is not known yet",
      {},
      [providerStep("p", undefined, { arguments: "baseUrl", baseUrl: unknownValue }), by(owns, "p")],
    ],
    ["no address where the stack has one", { "platform:baseUrl": address }, [providerStep("p", undefined, {}), by(owns, "p")]],
    [
      "another address of tokens",
      {},
      [providerStep("p", undefined, { arguments: "authUrl", authUrl: elsewhere }), by(owns, "p")],
    ],
    ["another audience", {}, [providerStep("p", undefined, { arguments: "audience", audience: "x" }), by(owns, "p")]],
    [
      "another identity",
      { "platform:identity": `${root}/ci` },
      [providerStep("p", undefined, { arguments: "identity", identity: `${root}/other` }), by(owns, "p")],
    ],
    [
      "an identity that is not known yet",
      {},
      [providerStep("p", undefined, { arguments: "identity", identity: unknownValue }), by(owns, "p")],
    ],
    ["other credentials", {}, [providerStep("p", undefined, { arguments: "oidcTokenFile", oidcTokenFile: "/t" }), by(owns, "p")]],
    [
      "credentials that are a secret",
      { "platform:tokenCommand": "[secret]" },
      [providerStep("p", undefined, { arguments: "concurrency", tokenCommand: "[secret]" }), by(owns, "p")],
    ],
    ["what is changed there", {}, [providerStep("p", own, own), by(changes, "p")]],
    ["what is deleted there", {}, [providerStep("p", own, undefined), deleted(by(staying, "p") as never)]],
    [
      "what moves there",
      {},
      [providerStep("p", own, own), { ...changes, newState: { ...changes.newState, provider: providerOf("platform:", "p") } }],
    ],
    [
      "what moves from there",
      {},
      [providerStep("p", own, own), { ...changes, oldState: { ...changes.oldState, provider: providerOf("platform:", "p") } }],
    ],
    [
      "an address that changes under what stays",
      { "platform:baseUrl": address },
      [providerStep("p", { baseUrl: elsewhere }, { arguments: "concurrency", baseUrl: address }), by(staying, "p")],
    ],
  ])("is undecided by the name of the resource, and not looked up: %s", (_, config, steps) => {
    for (const known of [{}, { objects, address }]) {
      const found = configured(config, steps, known);
      expect([undecidedIn(found), found.changes, found.bounds]).toEqual([isOwn, [], "lower"]);
      expect(JSON.stringify(found)).not.toContain("s3cret");
    }
  });

  test("is undecided where the dynamic provider host serves it, which names settings with a namespace", () => {
    const inputs = Object.fromEntries(Object.entries(own).map(([key, value]) => [`platform:${key}`, value]));
    const there = withStates(gives, () => ({ provider: providerOf("pulumi-nodejs:", "p") }));
    expect(undecidedIn(configured({}, [providerStep("p", undefined, inputs, "pulumi-nodejs"), there]))).toEqual(isOwn);
    const same = { "platform:arguments": "adopt", "platform:adopt": "true", "platform:baseUrl": `${address}/` };
    const here = [providerStep("p", undefined, same, "pulumi-nodejs"), there];
    expect(undecidedIn(configured({ "platform:baseUrl": address }, here))).toEqual([]);
  });

  test.each<[string, object, object[]]>([
    [
      "only another concurrency",
      {},
      [providerStep("p", undefined, { arguments: "concurrency", concurrency: "3" }), by(owns, "p")],
    ],
    [
      "the settings of the stack",
      { "platform:identity": `${root}/ci` },
      [providerStep("p", undefined, { identity: `${root}/ci` }), by(owns, "p")],
    ],
    [
      "the identity for runs that only read",
      {},
      [providerStep("p", undefined, { readOnlyIdentity: `${root}/ci` }), by(owns, "p")],
    ],
    ["nothing that the update does", {}, [providerStep("p", own, own), by(staying, "p")]],
    ["nothing but reading", {}, [providerStep("p", undefined, own), by(reads("Group", "g"), "p")]],
  ])("stays decided with %s", (_, config, steps) => {
    expect(undecidedIn(configured(config, steps))).toEqual([]);
  });

  test.each<[string, object, object | undefined, RegExp]>([
    [
      "another address",
      { "platform:baseUrl": elsewhere },
      undefined,
      /name https:\/\/api\.other\.example\/.* reads https:\/\/api\.acme\.example/,
    ],
    ["a secret address", { "platform:baseUrl": "[secret]" }, undefined, /name a secret/],
    [
      "another one than at the last update",
      { "platform:baseUrl": address },
      { baseUrl: elsewhere },
      /changes from https:\/\/api\.other\.example\//,
    ],
    [
      "one that the last update got from its settings",
      {},
      { baseUrl: elsewhere },
      /changes from https:\/\/api\.other\.example\//,
    ],
  ])("a stack whose settings name %s than the review reads is undecided, whatever changes", (_, config, former, reason) => {
    for (const steps of [[changes], [staying]]) {
      const found = configured(config, steps, { objects, address }, former);
      expect(found.undecided).toEqual([{ what: "the platform of the program", reason: expect.stringMatching(reason) as string }]);
      expect(found.changes).toEqual([]);
    }
  });

  test.each([
    ["the same address, written in another way", { "platform:baseUrl": "HTTPS://api.acme.example/" }, { baseUrl: address }],
    ["an address from the environment", {}, {}],
    ["settings of other packages", { "aws:baseUrl": elsewhere }, undefined],
  ])("a stack stays decided with %s", (_, config, former) => {
    expect(undecidedIn(configured(config, [changes], { objects, address }, former))).toEqual([]);
  });

  test("a provider that got another name by an alias is that of the states too", () => {
    const renamed = providerStep("p", { concurrency: "2" }, { concurrency: "3" });
    const urn = renamed.urn.replace(/p$/, "q");
    const steps = [{ ...renamed, oldState: { ...renamed.oldState, urn } }, deleted(by(staying, "q") as never)];
    const found = configured({}, steps);
    expect(undecidedIn(found)).toEqual([]);
    expect(found.warnings).toHaveLength(1);
  });

  test("what refers to a resource there is not taken for one here", () => {
    const group = by(made("Group", "g", { parentUid: root, name: "g" }), "p") as unknown as Step;
    const inside = made("RoleBinding", "in", { ...binding, parentUid: unknownValue });
    const newState = { ...inside.newState, propertyDependencies: { parentUid: [group.urn] } };
    const found = configured({}, [providerStep("p", undefined, own), group, { ...inside, newState }]);
    expect(undecidedIn(found)).toEqual(["what g does", "the place of in"]);
  });
});

test("what is not judged is not checked for rights either", () => {
  const caller = { uid: `${root}/ci`, by: "these credentials", objects, shows: () => true };
  const { rights } = reviewed([ci, by(owns, "default_9_9_9")], { objects, caller });
  expect(rights?.unchecked.map(({ what }) => what)).toEqual(["what own does"]);
});
