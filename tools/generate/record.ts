import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { stringify } from "yaml";
import { claimHelpers } from "../../provider/claims/helpers";
import * as sdk from "../../sdk/native";
import { remoteComponents } from "./remote-components";
import type { Schema, SchemaProperty } from "./schema-form";

/** A program in Pulumi's YAML. */
interface YamlProgram {
  readonly config: Record<string, { type: "string"; secret?: true }>;
  readonly variables: Record<string, { "fn::invoke": { function: string; arguments: object } }>;
  readonly resources: Record<string, { type: string; name?: string; properties: object }>;
  readonly outputs: Record<string, string>;
}

/**
 * A TypeScript program as a program in Pulumi's YAML, with its declarations, calls and exports while it runs under mocks.
 *
 * @param text the program. Its settings are read by `require` and `requireSecret`
 * @throws Error for an export that YAML cannot express, such as a computation
 */
export async function record(text: string, schema: Schema): Promise<string> {
  const recorder = new Recorder(schema);
  const settings = [...text.matchAll(/\.require(Secret)?\("(\w+)"\)/g)].map(([, secret, name = ""]) => {
    recorder.program.config[name] = { type: "string", ...(secret !== undefined && { secret: true }) };
    return [`project:${name}`, recorder.standIn(`\${${name}}`)];
  });
  pulumi.runtime.setAllConfig(Object.fromEntries(settings) as Record<string, string>);
  await pulumi.runtime.setMocks(recorder);
  const helpers = Object.fromEntries(claimHelpers.map((helper) => [helper.call, (args: object) => recorder.help(helper, args)]));
  const components = remoteComponents((expression) => recorder.standIn(expression));
  const exported = Object.entries(run(text, { ...helpers, ...components })).flatMap(([name, value]) =>
    pulumi.Output.isInstance(value) ? [[name, value] as const] : [],
  );
  const values = await Promise.all(exported.map(([, value]) => settled(value)));
  await pulumi.runtime.disconnect();
  exported.forEach(([name], index) => {
    recorder.export(name, values[index]);
  });
  return recorder.inYaml(text);
}

/** The member of a result that stands for the whole result. */
const whole = "the whole result";

class Recorder implements pulumi.runtime.Mocks {
  readonly program: YamlProgram = { config: {}, variables: {}, resources: {}, outputs: {} };
  /** Expressions by their stand-in values in the program. */
  readonly #expressions = new Map<string, string>();

  constructor(private readonly schema: Schema) {}

  newResource({ type, name, inputs }: pulumi.runtime.MockResourceArgs): { id: string; state: object } {
    const { name: given, ...others } = plain(inputs) as { name?: string };
    const key = this.#free(name, type.split(":").at(-1) ?? "");
    this.program.resources[key] = {
      type,
      ...(key !== name && { name }),
      // The logical name is the default.
      properties: { ...(given !== undefined && given !== name && { name: given }), ...others },
    };
    const state = this.#standIns(key, this.schema.resources[type]?.properties);
    return { id: this.standIn(`\${${key}.id}`), state };
  }

  call({ token, inputs }: pulumi.runtime.MockCallArgs): Record<string, unknown> {
    const named = (inputs as { name?: unknown }).name;
    const noun = (token.split(":").at(-1) ?? "").replace(/^(get|check)/, "");
    return this.#invoke(this.#free(identifier(typeof named === "string" ? named : noun), noun), token, inputs);
  }

  /** A claim helper as a call of its function. Returns the stand-in for the member of the result with the claims. */
  help({ call, makes }: (typeof claimHelpers)[number], inputs: object): unknown {
    return this.#invoke(this.#free(call, "Login"), `platform:iam:${call}`, inputs)[makes];
  }

  #invoke(key: string, token: string, inputs: unknown): Record<string, unknown> {
    this.program.variables[key] = { "fn::invoke": { function: token, arguments: inputs as object } };
    const standIns = this.#standIns(key, this.schema.functions[token]?.outputs.properties);
    return { ...standIns, [whole]: this.standIn(`\${${key}}`) };
  }

  /** `name`, or `name` followed by `noun` if the program already uses that name. */
  #free(name: string, noun: string): string {
    const isTaken = name in this.program.resources || name in this.program.variables;
    return isTaken ? this.#free(`${name}${noun}`, noun) : name;
  }

  /**
   * Adds an output.
   *
   * @param value the exported value, which is the stand-in of a text, or a result as `call` returned it
   * @throws Error for any other value, and for a name already used in the program, because converters rename one of the two
   */
  export(name: string, value: unknown): void {
    const { config, variables, resources, outputs } = this.program;
    const { [whole]: standIn = value } = (value ?? {}) as { [whole]?: unknown };
    const expression = typeof standIn === "string" ? this.#expressions.get(standIn) : undefined;
    if (expression === undefined)
      throw new Error(
        `The export ${name} is neither a text that a resource or result has, nor a whole result. YAML has nothing else.`,
      );
    if (Object.keys({ ...config, ...variables, ...resources }).some((key) => identifier(key) === name))
      throw new Error(`The export ${name} has the name of something else in the YAML. Give it another one.`);
    outputs[name] = expression;
  }

  /** The stand-in for an expression. It has the form of a uid, which data sources check. */
  standIn(expression: string): string {
    const value = createHash("sha1").update(expression).digest("hex");
    this.#expressions.set(value, expression);
    return value;
  }

  /** The program in YAML, with its resources in the order of `text`. */
  inYaml(text: string): string {
    const { resources } = this.program;
    const place = (key: string) => text.indexOf(`"${resources[key]?.name ?? key}"`);
    const inOrder = Object.keys(resources).sort((one, other) => place(one) - place(other));
    const program = { ...this.program, resources: Object.fromEntries(inOrder.map((key) => [key, resources[key]])) };
    const sections = Object.entries(program).filter(([, entries]) => Object.keys(entries as object).length > 0);
    return [...this.#expressions].reduce(
      (yaml, [value, expression]) => yaml.replaceAll(value, () => expression),
      stringify(Object.fromEntries(sections), { lineWidth: 0 }),
    );
  }

  /** Stand-ins for the texts among the properties of `name`. Lists are empty, so a program that iterates over one fails at its export. */
  #standIns(name: string, properties: Readonly<Record<string, SchemaProperty>> = {}): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(properties).map(([property, { type, $ref }]) => [
        property,
        type === "array" ? [] : type === "string" || $ref !== undefined ? this.standIn(`\${${name}.${property}}`) : undefined,
      ]),
    );
  }
}

/** `value` with unwrapped secrets, which mocks pass on wrapped. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (pulumi.runtime.isRpcSecret(value)) return plain(pulumi.runtime.unwrapRpcSecret(value));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

/** `web-server` as `webServer`. */
function identifier(name: string): string {
  const joined = name.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** Runs the program with the claim helpers and components that other languages have. Returns its exports. */
function run(text: string, others: object): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported = {};
  const modules: Record<string, unknown> = { "pulumi-platform": { ...sdk, ...others }, "@pulumi/pulumi": pulumi };
  // Made here instead of by node:vm, because the package rejects a list of another realm, and Jest's tests have their own.
  const program = Reflect.construct(Function, ["require", "exports", outputText]) as (require: object, exports: object) => void;
  program((name: string) => modules[name], exported);
  return exported;
}

/** The value of an output; undefined for one that cannot be computed from stand-ins. */
async function settled(output: pulumi.Output<unknown>): Promise<unknown> {
  return (output as unknown as { promise(): Promise<unknown> }).promise().catch(() => undefined);
}
