import * as pulumi from "@pulumi/pulumi";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { isValues, membersOf, type Values } from "../../provider/schema/values";
import { invalid } from "../program/program-failure";

const { specialSigKey, specialSecretSig, specialOutputValueSig, unknownValue } = pulumi.runtime;

/** How a value is not plain. */
interface Eventual {
  readonly isSecret: boolean;
  /** URNs of resources. */
  readonly dependencies: readonly string[];
}

const plain: Eventual = { isSecret: false, dependencies: [] };

/**
 * The arguments of a component. Unknown and secret values, and values of other resources, are outputs. An object whose value is known and no
 * secret is a plain object of them, because names of resources follow from its keys. Some languages send all objects as outputs.
 */
export function argumentsOf(request: ConstructRequest): Record<string, unknown> {
  const dependencies = request.getInputdependenciesMap();
  const given: Values = request.getInputs()?.toJavaScript() ?? {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
      if (value === null) return [];
      // SDKs without output values say only on which resources the whole argument depends.
      const own = holdsOutput(value) ? [] : (dependencies.get(name)?.getUrnsList() ?? []);
      return [[name, valueOf(value, { isSecret: false, dependencies: own })]];
    }),
  );
}

function valueOf(value: unknown, how: Eventual): unknown {
  if (isValues(value) && specialSigKey in value) return unmarked(value, how);
  if (how.isSecret) return eventual(plainOf(value), how);
  if (Array.isArray(value)) return value.map((item) => valueOf(item, how));
  if (isValues(value)) return mapped(value, (member) => valueOf(member, how));
  const isPlain = value !== unknownValue && how.dependencies.length === 0;
  return isPlain ? value : eventual(plainOf(value), how);
}

/** The value below a mark of the engine. */
function unmarked(marked: Values, { isSecret, dependencies }: Eventual): unknown {
  const mark = marked[specialSigKey];
  const value = "value" in marked ? marked["value"] : unknownValue;
  if (mark === specialSecretSig) return valueOf(value, { isSecret: true, dependencies });
  if (mark !== specialOutputValueSig)
    throw invalid("an argument is a resource or a file, and no component takes one. Pass a uid or text.");
  const own = Array.isArray(marked["dependencies"]) ? (marked["dependencies"] as string[]) : [];
  return valueOf(value, { isSecret: isSecret || marked["secret"] === true, dependencies: [...dependencies, ...own] });
}

/** The value of an output, whose parts may be outputs. */
function plainOf(value: unknown): unknown {
  if (value === unknownValue) return pulumi.unknown;
  if (Array.isArray(value)) return value.map(plainOf);
  if (!isValues(value)) return value;
  return specialSigKey in value ? unmarked(value, plain) : mapped(value, plainOf);
}

function eventual(value: unknown, { isSecret, dependencies }: Eventual): pulumi.Output<unknown> {
  const urns = dependencies.map((urn) => new pulumi.DependencyResource(urn).urn);
  const output = urns.length === 0 ? pulumi.output(value) : pulumi.all(urns).apply(() => value);
  return isSecret ? pulumi.secret(output) : output;
}

function holdsOutput(value: unknown): boolean {
  return membersOf(value)[specialSigKey] === specialOutputValueSig || Object.values(membersOf(value)).some(holdsOutput);
}

function mapped(values: Values, map: (value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
