import { Analyzer } from "../support/analyzer";
import { Consumer } from "./consumer";

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
let analyzer: Analyzer;

beforeAll(async () => {
  consumer = await Consumer.create();
  const folder = await consumer.project("policy", {
    "PulumiPolicy.yaml": "runtime: nodejs\n",
    "package.json": '{ "name": "pack", "version": "1.0.0", "main": "index.js" }\n',
    "index.js": pack,
  });
  analyzer = await Analyzer.start(folder);
});
afterAll(async () => {
  await analyzer.stop();
  await consumer.remove();
});

async function violations(type: string): Promise<string[]> {
  const urn = `urn:pulumi:stack::project::${type}::resource`;
  return (await analyzer.analyze({ urn, type, properties: { name: "team" } })).map(({ message }) => message);
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
