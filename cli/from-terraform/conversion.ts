import { PlatformError } from "../../provider/client/errors";
import { suggest } from "../../provider/client/nearest-name";
import { list, literal } from "../../provider/client/printable";
import { parentOf } from "../../provider/client/uid";
import { type Fields, isInput } from "../../provider/schema/field";
import { type Path, present, valueAt, type Values } from "../../provider/schema/values";
import { secretPaths } from "../../provider/schema/hidden-values";
import { uid } from "../../provider/schema/inputs";
import { declaredInputs, hideSecrets, type Inputs, type Kind } from "../../provider/schema/kind";
import { checkAlone } from "../../provider/resources/object/check";
import { UsageError } from "../shell/exit-codes";
import { attributeOf, type Attributes, type Conversion, conversions, unconverted } from "../../provider/terraform/kinds";
import type { TerraformObject } from "./state";

/** A Terraform object as a resource of this package. */
export interface Converted {
  readonly object: TerraformObject;
  readonly kind: Kind;
  readonly id: string;
  /** In canonical form, without secrets. */
  readonly inputs: Inputs;
  /** The inputs and the values that the platform set, without secrets. */
  readonly outputs: Inputs;
  /** Omitted attributes, and arguments that the program must declare besides. */
  readonly notes: readonly string[];
}

/** A Terraform object that stays with Terraform. */
export interface Unconverted {
  readonly object: TerraformObject;
  readonly reason: string;
}

/** The objects of a Terraform state for this package. */
export interface Conversions {
  readonly converted: readonly Converted[];
  readonly unconverted: readonly Unconverted[];
  /** Values that no resource can have, each with the address of its object. If there are any, nothing may be imported. */
  readonly problems: readonly string[];
}

/** Converts `objects`. @param provider prefix of the types of the platform's provider */
export function convertAll(objects: readonly TerraformObject[], provider: string): Conversions {
  const [converted, rest, problems]: [Converted[], Unconverted[], string[]] = [[], [], []];
  const owners = new Map<string, TerraformObject>();
  for (const object of objects) {
    const type = suffixOf(object, provider);
    const conversion = type !== undefined && Object.hasOwn(conversions, type) ? conversions[type] : undefined;
    const reason = whyNot(object, type, conversion);
    if (reason !== undefined || conversion === undefined) {
      rest.push({ object, reason: reason ?? "" });
      continue;
    }
    const result = convert(object, conversion);
    problems.push(...result.problems.map((problem) => `${object.address}: ${problem}`));
    const key = `${conversion.kind.name} ${result.id}`;
    const owner = owners.get(key);
    if (owner !== undefined) problems.push(`${object.address}: is the same object as ${owner.address}: ${result.id}`);
    owners.set(key, object);
    converted.push(result);
  }
  return { converted, unconverted: rest, problems };
}

/** The prefix of the types of the platform's provider. @throws PlatformError if no prefix fits, or several do */
export function providerOf(objects: readonly TerraformObject[], given: string | undefined): string {
  const found = providersIn(objects);
  const all = [...new Set(objects.map(({ type }) => type.split("_", 1).join("")))].sort();
  if (given !== undefined) {
    if (all.includes(given)) return given;
    throw new UsageError(`The state has no type that begins with ${given}_; ${suggest(given, all, "prefixes in it")}`);
  }
  const [only, ...others] = found;
  if (only === undefined)
    throw new PlatformError("INVALID_INPUT", "The state has no objects of the platform's provider. Nothing was written.");
  if (others.length > 0)
    throw new UsageError(`Which provider is the platform's? Pass --provider NAME: the types of ${list(found)} fit.`);
  return only;
}

/**
 * The possible prefixes of the platform's provider. If objects of any prefix are below their parents, only the prefixes of these objects.
 */
export function providersIn(objects: readonly TerraformObject[]): string[] {
  const prefixes = (some: readonly TerraformObject[]) => [...new Set(some.map(({ type }) => type.split("_", 1).join("")))].sort();
  const possible = objects.filter((object) => conversionOf(object) !== undefined);
  const likely = possible.filter((object) => {
    const { attributes, kind } = conversionOf(object) ?? {};
    if (attributes === undefined || kind === undefined) return false;
    const parent = object.attributes?.[attributeOf(attributes, kind.parentInput).from];
    return typeof parent === "string" && isIn(kind, String(object.attributes?.["id"]), parent);
  });
  return prefixes(likely.length > 0 ? likely : possible);
}

function conversionOf(object: TerraformObject): Conversion | undefined {
  const type = suffixOf(object, object.type.split("_", 1).join("")) ?? "";
  return object.mode === "managed" && Object.hasOwn(conversions, type) ? conversions[type] : undefined;
}

/** The type without the provider's prefix; undefined for another provider. */
function suffixOf({ type }: TerraformObject, provider: string): string | undefined {
  return type.startsWith(`${provider}_`) ? type.slice(provider.length + 1) : undefined;
}

/** Why an object is not converted; undefined if it is. */
function whyNot(object: TerraformObject, type: string | undefined, conversion: Conversion | undefined): string | undefined {
  if (type === undefined) return "of another provider";
  if (object.mode !== "managed") return "a data source; read it with a function such as getGroup or getRole";
  if (conversion === undefined)
    return (Object.hasOwn(unconverted, type) ? unconverted[type] : undefined) ?? "this package does not know its type";
  if (object.status === "deposed")
    return "Terraform has replaced it and still has to delete it; run `terraform apply`, because it still gives access";
  if (object.status === "tainted")
    return "tainted: Terraform would replace it; run `terraform untaint` or `terraform apply` first";
  if (object.attributes === undefined)
    return "its attributes are in a form before Terraform 0.12; run `terraform apply -refresh-only` first";
  const { attributes, kind } = conversion;
  if (kind.name === "Group" && !object.attributes[attributeOf(attributes, kind.parentInput).from])
    return "the root of an organisation, which a program does not declare; read it with Group.get";
  return undefined;
}

function convert(object: TerraformObject, conversion: Conversion): Converted & { problems: string[] } {
  const { kind, assumed, more, ignored = [], read = [], note } = conversion;
  const source = object.attributes ?? {};
  const used = new Set(["id", ...ignored, ...read]);
  const values = { ...convertFields(kind.fields, source, conversion.attributes, used), ...more?.(source), ...assumed };
  hideSecrets(kind, values);
  // Terraform keeps empty lists and texts, which mean the same as absent values.
  const given = declaredInputs(kind, values);
  const { inputs, failures } = checkAlone(kind, {}, given);
  // Arguments that the program must add are no error of the state.
  const besides = kind.problems(given, {}).map(({ reason }) => reason);
  const id = uid.safeParse(source["id"] ?? undefined);
  const problems = [
    ...failures.map(({ reason }) => reason).filter((reason) => !besides.includes(reason)),
    ...(id.error?.issues.map(({ message }) => `id ${message}`) ?? []),
  ];
  const parent = given[kind.parentInput];
  if (id.success && typeof parent === "string" && !isIn(kind, id.data, parent))
    problems.push(`id ${literal(id.data)} is not in ${kind.parentInput} ${literal(parent)}`);
  const left = unusedIn(source, used).map((path) => `${path} has no counterpart; the platform keeps its value`);
  const secrets = secretPaths(kind.fields).filter((path) => valueAt(values, path) !== undefined);
  const hidden = secrets.map(
    (path) =>
      `${path.join(".")} is a secret and not in the file${isInput(kind.fields[path[0] ?? ""]) ? "; the first up sends it" : ""}`,
  );
  const declared = without(inputs, secrets);
  const isOutput = ([name]: readonly [string, unknown]) => kind.fields[name]?.by === "output";
  return {
    object,
    kind,
    id: id.data ?? "",
    inputs: declared,
    outputs: { ...declared, ...without(Object.fromEntries(Object.entries(values).filter(isOutput)), secrets) },
    notes: [...besides, ...(note === undefined ? [] : [note]), ...hidden, ...left],
    problems,
  };
}

/** The uid of an object is below the uid of its parent, or equal to it if a parent has only one such object (docs/platform-api.md#uids). */
function isIn({ sharesUid }: Kind, id: string, parent: string): boolean {
  return (sharesUid ? id : parentOf(id)) === parent;
}

/** The inputs in `source`, and the outputs named by `attributes`. Their attributes are added to `used`. @param at path of `source`, with a dot */
function convertFields(
  fields: Fields,
  source: Values,
  attributes: Attributes,
  used: Set<string>,
  at = "",
): Record<string, unknown> {
  return present(
    Object.entries(fields)
      .filter(
        ([name, field]) => (isInput(field) && field.by !== "local") || (field.by === "output" && attributes[name] !== undefined),
      )
      .map(([name, { shape }]): [string, unknown] => {
        const { from, members = {}, convert = (same: unknown) => same } = attributeOf(attributes, name);
        const value = source[from] ?? undefined;
        if (shape.is !== "message" || typeof value !== "object") {
          used.add(at + from);
          return [name, convert(value) ?? undefined];
        }
        return [name, convert(convertFields(shape.members, value as Values, members, used, `${at}${from}.`))];
      }),
  );
}

/** Paths of attributes with a value that are not `used`. */
function unusedIn(source: Values, used: ReadonlySet<string>, at = ""): string[] {
  return Object.entries(source).flatMap(([name, value]) => {
    const path = at + name;
    if (used.has(path) || value === null || value === "" || value === false) return [];
    if (Array.isArray(value) ? value.length === 0 : typeof value === "object" && Object.keys(value).length === 0) return [];
    const isRead = [...used].some((each) => each.startsWith(`${path}.`));
    return isRead && typeof value === "object" ? unusedIn(value as Values, used, `${path}.`) : [path];
  });
}

/** `values` without the members at `paths`. */
function without(values: Values, paths: readonly Path[]): Inputs {
  const [here, deeper] = [paths.filter(({ length }) => length === 1), paths.filter(({ length }) => length > 1)];
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !here.some(([first]) => first === name))
      .map(([name, value]) => {
        const inner = deeper.filter(([first]) => first === name).map((path) => path.slice(1));
        return [name, inner.length === 0 ? value : without(value as Values, inner)];
      }),
  );
}
