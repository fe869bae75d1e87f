import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/analyzer_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Consumer } from "./consumer";

jest.setTimeout(120_000);

const pack = `
  const { PolicyPack, validateResourceOfType } = require("@pulumi/policy");
  const { Group, Identity, RoleBinding } = require("pulumi-platform");
  const policy = (Class) => ({
    name: Class.name, description: Class.name, enforcementLevel: "mandatory",
    validateResource: validateResourceOfType(Class, (props, args, report) => report(Class.name + " matches " + props.name)),
  });
  const byHand = {
    name: "asType", description: "asType", enforcementLevel: "mandatory",
    validateResource: (args, report) => [Group, Identity, RoleBinding].filter((Class) => args.asType(Class)).forEach((Class) => report("as " + Class.name)),
  };
  new PolicyPack("pack", { policies: [policy(Group), policy(Identity), policy(RoleBinding), byHand] });
`;

let consumer: Consumer;
let analyzer: ChildProcess;
let client: AnalyzerClient;

// What the engine does: it runs Pulumi's launcher of policy packs, and asks it about each resource.
beforeAll(async () => {
  consumer = await Consumer.create();
  const folder = await consumer.project("policy", {
    "PulumiPolicy.yaml": "runtime: nodejs\n",
    "package.json": '{ "name": "pack", "version": "1.0.0", "main": "index.js" }\n',
    "index.js": pack,
  });
  const launcher = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  analyzer = spawn(process.execPath, [launcher, "127.0.0.1:1", folder], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  if (analyzer.stdout === null) throw new Error("the policy pack has no output");
  const [port] = (await once(createInterface(analyzer.stdout), "line")) as [string];
  client = new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  analyzer.kill();
  await once(analyzer, "close");
  await consumer.remove();
});

async function violations(type: string): Promise<string[]> {
  const request = new proto.AnalyzeRequest()
    .setType(type)
    .setName("resource")
    .setUrn(`urn:pulumi:stack::project::${type}::resource`)
    .setOptions(new proto.AnalyzerResourceOptions().setCustomtimeouts(new proto.AnalyzerResourceOptions.CustomTimeouts()))
    .setProperties(Struct.fromJavaScript({ name: "team" }));
  const response = await new Promise<proto.AnalyzeResponse>((resolve, reject) => {
    client.analyze(request, (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
  return response.getDiagnosticsList().map((diagnostic) => diagnostic.getMessage().split("\n").at(-1) ?? "");
}

test.each(["Group", "Identity", "RoleBinding"])(
  "a policy pack that matches by class matches %s, and nothing else",
  async (name) => {
    expect(await violations(`pulumi-nodejs:dynamic/platform/iam:${name}`)).toEqual([`${name} matches team`, `as ${name}`]);
  },
);

test("a policy pack that matches by class does not match resources of other packages", async () => {
  expect(await violations("pulumi-nodejs:dynamic:Resource")).toEqual([]);
  expect(await violations("aws:s3/bucket:Bucket")).toEqual([]);
});
