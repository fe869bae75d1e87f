import type { ServiceError } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { FaultProxy } from "../support/fault-proxy";
import { answered, failedCreateIn, type PluginClient, secret, urnOf } from "../support/plugin-client";
import type { TestPlatform } from "../support/test-platform";
import { pluginForEach } from "./plugin-on-platform";

const all = pluginForEach();
let platform: TestPlatform;
let proxy: FaultProxy;
let plugin: PluginClient;
beforeEach(() => ({ platform, proxy, plugin } = all));

const provider = "platform:iam:IdentityProvider";
const clientSecret = "the-client-secret";

/** Checks an identity provider with a secret, which arrives marked as `mark` does. */
async function checked(name: string, mark: (value: string) => unknown = (value) => value) {
  const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: mark(clientSecret) };
  const news = { parentUid: platform.root, name, defaultRole: await platform.role("viewer"), oidc };
  return (await plugin.check(provider, name, news)).inputs;
}

/** Lets the platform answer that the object `name` has another description than it was given, so that its create fails. */
function describedAs(name: string, description: string): void {
  proxy.interfere = async (_request, forward) => {
    const answer = await forward();
    const object = JSON.parse(answer.body) as { name?: string };
    return object.name === name ? { ...answer, body: JSON.stringify({ ...object, description }) } : answer;
  };
}

const marked = { oidc: { clientSecret: secret(clientSecret) } };

test("a secret is marked in every answer, whether or not the program marked it", async () => {
  const inputs = await checked("sign-in");
  expect(inputs).toMatchObject(marked);
  expect(await checked("sign-in", secret)).toEqual(inputs);
  const { id, outs } = await plugin.create(provider, inputs);
  expect(outs).toMatchObject(marked);
  expect((await plugin.create(provider, inputs, { preview: true })).outs).toMatchObject(marked);
  expect(await plugin.read(provider, id, outs)).toMatchObject({ outs: marked, inputs: marked });
  expect(await plugin.update(provider, id, outs, { ...inputs, description: "new" })).toMatchObject(marked);
  const [seen] = (await platform.writes()).filter(({ method, path }) => method === "POST" && path.includes("identityProviders"));
  expect(seen?.body).toMatchObject({ oidc: { clientSecret } });
});

test("the error of an object that exists carries its id, and its secret marked; no message shows it", async () => {
  describedAs("broken", clientSecret);
  const failure: unknown = await plugin.create(provider, await checked("broken")).catch((error: unknown) => error);
  const made = await platform.named("identityProviders", "broken");
  const failed = failedCreateIn(failure as ServiceError);
  expect(failed).toMatchObject({ id: made.uid, properties: marked });
  expect(`${String(failure)} ${String(failed?.reasons)}`).not.toContain(clientSecret);
});

test("the secret of an object that exists is marked also for an engine that names resources by URN alone", async () => {
  describedAs("old", "other");
  const request = new proto.CreateRequest().setUrn(urnOf(provider, "a::b"));
  request.setProperties(Struct.fromJavaScript((await checked("old")) as Record<string, JavaScriptValue>));
  const failure: unknown = await answered((done) => plugin.client.create(request, done)).catch((error: unknown) => error);
  expect(failedCreateIn(failure as ServiceError)).toMatchObject({ properties: marked });
});

test("a mark that the platform answers is no mark to the engine, which would read a file", async () => {
  const mark = Object.keys(secret(""))[0] ?? "";
  const file = { [mark]: "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd" };
  const azure = { tenantId: "01234567-89ab-cdef-0123-456789abcdef", clientIds: file };
  const place = await platform.create("groups", platform.root, { name: "place" });
  const { uid } = await platform.create("accountAssociations", place.uid, { name: "accounts", azure });
  const { outs } = await plugin.read("platform:iam:AccountAssociation", uid);
  expect(outs).toMatchObject({ azure: { clientIds: { path: "/etc/passwd" } } });
  expect(JSON.stringify(outs)).not.toContain(mark);
});

describe("a value that the program marked as secret", () => {
  const group = "platform:iam:Group";
  const identity = "platform:iam:Identity";
  const hidden = "only for payroll";

  test("is marked in every answer, although its field is not declared as secret", async () => {
    const { inputs } = await plugin.check(group, "payroll", { parentUid: platform.root, description: secret(hidden) });
    expect(inputs).toMatchObject({ name: "payroll", description: secret(hidden) });
    const preview = await plugin.create(group, inputs, { preview: true });
    expect(preview.outs).toMatchObject({ name: "payroll", description: secret(hidden) });
    const { id, outs } = await plugin.create(group, inputs);
    expect(outs).toMatchObject({ name: "payroll", description: secret(hidden) });
    expect((await platform.named("groups", "payroll"))["description"]).toBe(hidden);
    expect(await plugin.read(group, id, outs, inputs)).toMatchObject({ outs: { description: secret(hidden) }, inputs });
    expect(await plugin.update(group, id, outs, { ...inputs, description: secret("new") }, { preview: true })).toMatchObject({
      description: secret("new"),
    });
    expect(await plugin.update(group, id, outs, { ...inputs, description: secret("new") })).toMatchObject({
      description: secret("new"),
    });
    expect(await plugin.update(group, id, outs, { ...inputs, description: "shown" })).toMatchObject({ description: "shown" });
  });

  test("is marked as a member, as a whole object, and as a list with one secret item", async () => {
    const login = { issuer: "https://issuer.example", subject: secret("ci") };
    const member = await plugin.check(identity, "ci", { parentUid: platform.root, claimMatch: login });
    expect(member.inputs).toMatchObject({ claimMatch: login });
    const whole = await plugin.check(identity, "ci", {
      parentUid: platform.root,
      claimMatch: secret({ ...login, subject: "ci" }),
    });
    expect(whole.inputs).toMatchObject({ claimMatch: secret({ issuer: "https://issuer.example", subject: "ci" }) });
    const capabilities = [secret("groups.list"), "groups.get"];
    const list = await plugin.check("platform:iam:Role", "reader", { parentUid: platform.root, capabilities });
    expect(JSON.stringify(list.inputs["capabilities"])).toMatch(/^\{"4dabf18193072939515e22adb298388d"/);
  });

  test("is marked in the error of an object that exists, in settings, and in the result of a function", async () => {
    describedAs("broken", "other");
    const { inputs } = await plugin.check(group, "broken", { parentUid: platform.root, description: secret(hidden) });
    const failure: unknown = await plugin.create(group, inputs).catch((error: unknown) => error);
    expect(failedCreateIn(failure as ServiceError)?.properties).toMatchObject({ description: secret("other") });
    const settings = { tokenCommand: secret("print token") };
    const urn = "urn:pulumi:test::test::pulumi:providers:platform::default";
    const request = new proto.CheckRequest().setUrn(urn).setNews(Struct.fromJavaScript(settings));
    const answer = await answered<proto.CheckResponse>((done) => plugin.client.checkConfig(request, done));
    expect(answer.getInputs()?.toJavaScript()).toEqual(settings);
    const { uid } = await platform.create("groups", platform.root, { name: "found" });
    expect(await plugin.invoke("platform:iam:getGroup", { uid })).toMatchObject({ name: "found" });
    expect(await plugin.invoke("platform:iam:getGroup", { uid: secret(uid) })).toMatchObject({ name: secret("found") });
  });

  test("is in no message of a check, of a create that fails, and of a function", async () => {
    const shown = async (work: Promise<unknown>) => String(await work.then(JSON.stringify, (error: unknown) => error));
    const taken = "taken-by-another";
    const { uid } = await platform.create("groups", platform.root, { name: taken });
    const { failures } = await plugin.check(group, "unfit", { parentUid: platform.root, name: secret("Unfit-For-A-Name") });
    const { inputs } = await plugin.check(group, "it", { parentUid: platform.root, name: secret(taken) });
    const texts = [
      failures.join(),
      await shown(plugin.create(group, inputs)),
      await shown(plugin.invoke("platform:iam:githubActions", { repository: secret("the-hidden-repository"), branch: "main" })),
      await shown(plugin.invoke("platform:iam:getGroup", { uid: secret(`${uid}/hidden-part`) })),
    ];
    for (const text of texts) {
      expect(text).toContain("[redacted]");
      expect(text).not.toMatch(/unfit-for|taken-by|hidden/i);
    }
  });

  test("is one difference as a whole, without the names in it", async () => {
    const login = (claims: object) => ({ issuer: "https://issuer.example", subject: "ci", claims });
    const declared = (claims: unknown) => ({ parentUid: platform.root, name: "ci", claimMatch: claims });
    const [olds, news] = [login({ hush: "1" }), login({ hush: "2", still: "3" })];
    const diff = async (mark: (value: object) => unknown) =>
      (await plugin.diff(identity, `${platform.root}/it`, declared(mark(olds)), declared(mark(news)))).detailed;
    expect(await diff((value) => value)).toEqual({ "claimMatch.claims.hush": "UPDATE", "claimMatch.claims.still": "ADD" });
    expect(await diff(secret)).toEqual({ claimMatch: "UPDATE" });
    const inner = (value: object) => ({ ...value, claims: secret((value as { claims: object }).claims) });
    expect(await diff(inner)).toEqual({ "claimMatch.claims": "UPDATE" });
  });
});
