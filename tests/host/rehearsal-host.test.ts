import { readFileSync } from "node:fs";
import type { ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { answered, failedCreateIn, secret, unknown } from "../support/plugin-client";
import { TestPlatform } from "../support/test-platform";
import { Host, providerText, RehearsalProcess } from "./processes";

const platform = TestPlatform.forFile();

/** A host with its raw client, and the group in which it works. */
interface Played {
  readonly client: ResourceProviderClient;
  readonly parentUid: string;
}

let real: Host;
let rehearsal: RehearsalProcess;
let both: readonly [Played, Played];

/** The settings of the stack, as both hosts get them. The audience is a secret of the stack. */
const settings = () => ({
  "platform:baseUrl": platform.baseUrl,
  "platform:organization": platform.root,
  "platform:identity": platform.identity,
  "platform:audience": secret(platform.baseUrl),
});

beforeAll(async () => {
  const { PLATFORM_OIDC_TOKEN_FILE: file = "" } = platform.environment;
  real = await Host.start({ PLATFORM_OIDC_TOKEN_FILE: file }, settings() as never);
  const token = readFileSync(file, "utf8").trim();
  rehearsal = await RehearsalProcess.start({ copy: platform.baseUrl, standsFor: [platform.baseUrl], token });
  const request = new proto.ConfigureRequest().setArgs(Struct.fromJavaScript(settings()));
  await answered((done) => rehearsal.client.configure(request, done));
});
afterAll(async () => {
  await Promise.all([real.close(), rehearsal.close()]);
});
beforeEach(async () => {
  await platform.clearFaults();
  const groups = await Promise.all(
    ["a", "b"].map((name) => platform.create("groups", platform.root, { name: `${name}-${++names}` })),
  );
  const [first, second] = groups.map(({ uid: parentUid }) => parentUid);
  both = [
    { client: real.client, parentUid: first ?? "" },
    { client: rehearsal.client, parentUid: second ?? "" },
  ];
});

let names = 0;

type Properties = Record<string, unknown>;
const struct = (values: Properties) => Struct.fromJavaScript(values as Record<string, JavaScriptValue>);

/** The answer of a call, or all of its error, without what differs between two objects: uids, times and ids of requests. */
async function outcome(call: Promise<unknown>, { parentUid }: Played): Promise<unknown> {
  const told = await call.then(
    (answer) => ({ answer: (answer as { toObject(): object }).toObject() }),
    (reason: unknown) => errorOf(reason as ServiceError),
  );
  const same = JSON.stringify(told)
    .replaceAll(parentUid, "PARENT")
    .replace(/PARENT\/[0-9a-f]{16}/g, "CHILD")
    .replace(/request [0-9a-f-]{36}/g, "request");
  return JSON.parse(same.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")) as unknown;
}

function errorOf(error: ServiceError): object {
  const metadata = Object.keys(error.metadata.getMap()).filter((name) => name !== "content-type" && name !== "date");
  return { code: error.code, details: error.details, failed: failedCreateIn(error), metadata };
}

/** Plays a call at both hosts. @returns the outcome, which must be the same */
async function played(call: (host: Played) => Promise<unknown>): Promise<unknown> {
  const [first, second] = both;
  const [theirs, ours] = [await outcome(call(first), first), await outcome(call(second), second)];
  expect(ours).toEqual(theirs);
  return theirs;
}

const type = "pulumi-nodejs:dynamic/platform/iam:Group";
const urn = `urn:pulumi:test::test::${type}::it`;
const text = providerText("group");

const calls = ({ client, parentUid }: Played) => {
  const group = (more: Properties = {}): Properties => ({ parentUid, name: "team", description: "d", __provider: text, ...more });
  const named = { urn, type, name: "it" };
  return {
    group,
    check: (news: Properties, olds: Properties = {}) =>
      answered<proto.CheckResponse>((done) =>
        client.check(
          new proto.CheckRequest().setUrn(urn).setType(type).setName(named.name).setNews(struct(news)).setOlds(struct(olds)),
          done,
        ),
      ),
    diff: (id: string, olds: Properties, news: Properties) =>
      answered<proto.DiffResponse>((done) =>
        client.diff(
          new proto.DiffRequest().setId(id).setUrn(urn).setType(type).setOlds(struct(olds)).setNews(struct(news)),
          done,
        ),
      ),
    create: (inputs: Properties) =>
      answered<proto.CreateResponse>((done) =>
        client.create(new proto.CreateRequest().setUrn(urn).setType(type).setProperties(struct(inputs)), done),
      ),
    read: (id: string, { state, inputs }: { state?: Properties; inputs?: Properties }) =>
      answered<proto.ReadResponse>((done) => {
        const request = new proto.ReadRequest().setId(id).setUrn(urn).setType(type);
        if (state) request.setProperties(struct(state));
        if (inputs) request.setInputs(struct(inputs));
        client.read(request, done);
      }),
    update: (id: string, olds: Properties, news: Properties) =>
      answered<proto.UpdateResponse>((done) =>
        client.update(
          new proto.UpdateRequest().setId(id).setUrn(urn).setType(type).setOlds(struct(olds)).setNews(struct(news)),
          done,
        ),
      ),
    delete: (id: string, state: Properties) =>
      answered<Empty>((done) =>
        client.delete(new proto.DeleteRequest().setId(id).setUrn(urn).setType(type).setProperties(struct(state)), done),
      ),
  };
};

/** A group of each host, with its state. */
async function made(host: Played): Promise<{ id: string; state: Properties }> {
  const { create, group } = calls(host);
  const answer = await create(group());
  return { id: answer.getId(), state: answer.getProperties()?.toJavaScript() ?? {} };
}

test("a check answers its inputs, failures, and the text of either side", async () => {
  await played((host) => calls(host).check(calls(host).group()));
  await played((host) => calls(host).check(calls(host).group({ parentUid: "", wrong: 1, name: "a\nb" })));
  await played((host) => calls(host).check(calls(host).group({ __provider: unknown }), calls(host).group()));
  await played((host) => calls(host).check(calls(host).group({ description: unknown })));
});

test("create, read, diff, update and delete answer the same, text included", async () => {
  await played((host) => calls(host).create(calls(host).group({ name: "other" })));
  const [first, second] = both;
  const objects = [await made(first), await made(second)] as const;
  const of = (host: Played) => objects[host === first ? 0 : 1];
  await played((host) => calls(host).read(of(host).id, { state: of(host).state }));
  await played((host) => calls(host).read(of(host).id, { inputs: { __provider: text } }));
  const changes: Properties[] = [{}, { description: "changed" }, { parentUid: platform.root }, { name: "moved" }];
  for (const change of changes) await played((host) => calls(host).diff(of(host).id, of(host).state, calls(host).group(change)));
  await played((host) => calls(host).update(of(host).id, of(host).state, calls(host).group({ description: "changed" })));
  // A read after a delete waits while the object is new.
  await platform.letTimePass();
  await played((host) => calls(host).delete(of(host).id, of(host).state));
  await played((host) => calls(host).read(of(host).id, { state: of(host).state }));
});

test("errors have the same code, text and metadata, also of an object that exists although its create failed", async () => {
  await played((host) => calls(host).create(calls(host).group({ parentUid: `${platform.root}/00000000000000aa` })));
  await played((host) => calls(host).read(`${platform.root}/00000000000000aa`, { inputs: { __provider: text } }));
  await played((host) => calls(host).read("not a uid", { inputs: { __provider: text } }));
  await platform.fault({ path: "^/iam/" }, { status: 400, code: 3, message: "Invalid argument: injected" }, { times: 0 });
  const id = `${platform.root}/0123456789abcdef`;
  await played((host) => calls(host).update(id, calls(host).group(), calls(host).group({ description: "e" })));
  await played((host) => calls(host).delete(id, calls(host).group()));
  await platform.clearFaults();
  const rewrite = { name: "another" };
  for (const method of ["POST", "GET"]) await platform.fault({ method, path: "/groups/" }, { rewrite }, { times: 0 });
  expect(await played((host) => calls(host).create(calls(host).group()))).toMatchObject({ failed: { id: "CHILD" } });
});

test("calls that the real host does not implement are answered in its words", async () => {
  const unary = {
    handshake: new proto.ProviderHandshakeRequest(),
    parameterize: new proto.ParameterizeRequest(),
    checkConfig: new proto.CheckRequest(),
    diffConfig: new proto.DiffRequest(),
    getSchema: new proto.GetSchemaRequest(),
    construct: new proto.ConstructRequest(),
    call: new proto.CallRequest(),
    getMapping: new proto.GetMappingRequest(),
    getMappings: new proto.GetMappingsRequest(),
    invoke: new proto.InvokeRequest().setTok("platform:iam:getGroup"),
    getPluginInfo: new Empty(),
  } as const;
  for (const [name, request] of Object.entries(unary))
    await played(({ client }) =>
      answered((done) =>
        (client as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.call(client, request, done),
      ),
    );
  await played(async ({ client }) => {
    for await (const _ of client.list(new proto.ListRequest())) throw new Error("an answer");
  });
});
