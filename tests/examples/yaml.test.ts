import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { Schema } from "../../tools/generate/schema-form";
import { program as kubernetesProgram } from "./kubernetes";
import { manifests } from "./pipelines";

const checkout = path.resolve(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(checkout, file), "utf8");

interface YamlProgram {
  resources: Record<string, { type: string; properties: Record<string, unknown> }>;
  variables: Record<string, { "fn::invoke": { function: string; arguments: Record<string, unknown> } }>;
}

const program = parse(read("examples/yaml/Pulumi.yaml")) as YamlProgram;
const schema = JSON.parse(read("schema.json")) as Schema;

const inKubernetes = manifests("program.yaml").flatMap((manifest) =>
  manifest["kind"] === "Program" ? Object.values(kubernetesProgram.parse(manifest).program.resources) : [],
);

test.each([...Object.values(program.resources), ...inKubernetes])(
  "$type of examples/yaml, or of the Program for Kubernetes, exists with these properties, and has all that are required",
  ({ type, properties }) => {
    const { inputProperties, requiredInputs } = schema.resources[type] ?? { inputProperties: {}, requiredInputs: ["the type"] };
    expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(properties)));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(requiredInputs));
  },
);

test("the functions of examples/yaml exist, with these arguments and results", () => {
  for (const [name, { "fn::invoke": call }] of Object.entries(program.variables)) {
    const known = schema.functions[call.function];
    expect(Object.keys(known?.inputs.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(call.arguments)));
    const used = [...JSON.stringify(program).matchAll(new RegExp(String.raw`\$\{${name}\.(\w+)\}`, "g"))].map(
      ([, member]) => member,
    );
    expect(used).not.toEqual([]);
    expect(Object.keys(known?.outputs.properties ?? {})).toEqual(expect.arrayContaining(used));
  }
});
