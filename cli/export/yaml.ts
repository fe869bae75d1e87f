import { literal, printable } from "../../provider/client/printable";
import { nativeToken } from "../project/import-document";
import type { Program } from "./program";
import { type Surroundings, uidsOnly } from "./surroundings";
import { Claims, isList, JsonText, type Resource, SecretOf, UidOf, type Value } from "./values";
import { variablesOf } from "./variables";
import { yaml } from "../shell/yaml";

/** `known` for a program in Pulumi YAML. */
export function inYaml(known: Surroundings): Surroundings {
  return { ...known, means: uidsOnly, whyNotWritten: callIn };
}

/** Why Pulumi YAML cannot express `args`. A key, at any depth, would call a function. Undefined if it can. */
function callIn(args: object, place = ""): string | undefined {
  for (const [key, inner] of Object.entries(args)) {
    if (!Array.isArray(args) && /^fn::/i.test(key))
      return `Pulumi YAML takes the key ${literal(key)} in ${place} for the call of a function; export with --format typescript to declare it`;
    const found =
      typeof inner === "object" && inner !== null ? callIn(inner as object, place === "" ? key : `${place}.${key}`) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The program in Pulumi YAML for the native plugin, as the text of `Pulumi.yaml`. Secrets are left out, because Pulumi YAML has no value
 * for an unset secret.
 *
 * @param knownName the name of the object with a uid, if it is known, for a comment beside the uid
 */
export function yamlProgram(
  program: Program,
  project: { readonly name: string; readonly description: string },
  knownName: (uid: string) => string | undefined,
): string {
  const variables = variablesOf(program.resources);
  const nameOf = new Map(program.resources.map((resource) => [resource.object, variables.get(resource) ?? ""]));
  const value = (each: Value): unknown => {
    if (each instanceof UidOf) return `\${${nameOf.get(each.target) ?? ""}.id}`;
    if (each instanceof SecretOf) return undefined;
    if (each instanceof Claims) return value(each.all);
    if (each instanceof JsonText) return escaped(each.text);
    if (typeof each === "string") return escaped(each);
    if (typeof each !== "object") return each;
    if (isList(each)) return each.map(value);
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [escaped(name), value(member)]));
  };
  const resourceOf = (resource: Resource): [string, object] => {
    const { kind, logicalName, args, isProtected } = resource;
    const key = variables.get(resource) ?? "";
    const name = key === logicalName ? {} : { name: escaped(logicalName) };
    const options = isProtected ? { options: { protect: true } } : {};
    return [key, { type: nativeToken(kind), ...name, properties: value(args), ...options }];
  };
  const document = {
    ...project,
    runtime: "yaml",
    plugins: { providers: [{ name: "platform", path: "node_modules/.bin" }] },
    resources: Object.fromEntries(program.resources.map(resourceOf)),
  };
  return textOf(document, knownName);
}

/** `document` as YAML. Texts that begin like a number are quoted, because Go's YAML also reads `0b1` and `1_000` as numbers. */
function textOf(document: object, knownName: (uid: string) => string | undefined): string {
  const { Document, visit } = yaml();
  const tree = new Document(document);
  visit(tree, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      if (/^[-+.]?\d/.test(node.value)) node.type = "QUOTE_DOUBLE";
      const label = knownName(node.value);
      if (label !== undefined) node.comment = ` ${printable(label)}`;
    },
  });
  return tree.toString({ lineWidth: 130 });
}

/** A text without references in Pulumi YAML, where a dollar sign would begin one. */
function escaped(text: string): string {
  return text.replaceAll("$", "$$$$");
}
