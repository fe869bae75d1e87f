import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { NullProvider } from "../../rehearse/null-provider";

let provider: NullProvider;
let client: ResourceProviderClient;
beforeAll(async () => {
  provider = await NullProvider.start();
  client = new ResourceProviderClient(`127.0.0.1:${provider.port}`, credentials.createInsecure());
});
afterAll(() => {
  client.close();
  provider.close();
});

const struct = (value: Record<string, JavaScriptValue>) => Struct.fromJavaScript(value);
const urn = "urn:pulumi:s::p::aws:s3/bucket:Bucket::b";

function call<Answer>(send: (done: (error: Error | null, answer: Answer) => void) => unknown): Promise<Answer> {
  return new Promise((resolve, reject) => send((error, answer) => (error === null ? resolve(answer) : reject(error))));
}

test("an unchanged resource of a bridged provider has no difference, because its defaults stay", async () => {
  const olds = struct({ name: "b-1234", tags: { a: "b", __defaults: [] }, __defaults: ["name"] });
  const check = new proto.CheckRequest()
    .setUrn(urn)
    .setOlds(olds)
    .setNews(struct({ tags: { a: "b" } }));
  const { inputs } = (await call<proto.CheckResponse>((done) => client.check(check, done))).toObject();
  expect(inputs).toEqual(olds.toObject());
  const diff = new proto.DiffRequest().setUrn(urn).setOldInputs(olds).setNews(olds);
  expect((await call<proto.DiffResponse>((done) => client.diff(diff, done))).getChanges()).toBe(
    proto.DiffResponse.DiffChanges.DIFF_NONE,
  );
  expect([...provider.record.invented]).toEqual([]);
});

test("what it makes up is recorded, and functions of others are refused by name", async () => {
  const create = new proto.CreateRequest().setUrn(urn).setProperties(struct({ name: "b" }));
  expect((await call<proto.CreateResponse>((done) => client.create(create, done))).getId()).toBe("rehearsed");
  expect([...provider.record.invented]).toEqual([urn]);
  const invoke = new proto.InvokeRequest().setTok("aws:index/getRegion:getRegion");
  await expect(call((done) => client.invoke(invoke, done))).rejects.toThrow("getRegion");
  expect([...provider.record.refused]).toEqual(["function aws:index/getRegion:getRegion"]);
});
