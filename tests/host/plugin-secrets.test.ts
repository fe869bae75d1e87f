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
