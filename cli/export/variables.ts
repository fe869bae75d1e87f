import { compareTexts } from "../../access/compare";
import { kindNames } from "../../inventory/kinds";
import { helperNames } from "./claim-helpers";
import type { Resource } from "./values";

/** Names that are not allowed for a variable of a program, because the language or generated files use them. */
const reserved: ReadonlySet<string> = new Set([
  ...helperNames,
  ...[
    "abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue debugger declare",
    "default delete do else enum eval export extends false finally for from function get global globalThis if implements import in",
    "infer instanceof interface is keyof let module namespace never new null number object of package private protected public",
    "readonly require return satisfies set static string super switch symbol this throw true try type typeof undefined unique",
    "unknown using var void while with yield Infinity NaN JSON Object Array String exports process console name",
    "pulumi config organization organizationUid bind __dirname __filename",
  ].flatMap((line) => line.split(" ")),
]);

/**
 * A variable for each resource, unique in the program. It is the resource's name, preceded by names of the groups around it if others have
 * the same name.
 */
export function variablesOf(resources: readonly Resource[]): ReadonlyMap<Resource, string> {
  const variables = new Map<Resource, string>();
  const taken = new Set<string>(reserved);
  let open = [...resources].sort((one, other) => compareTexts(one.object.uid, other.object.uid));
  for (let words = 1; open.length > 0; words += 1) {
    const byName = Map.groupBy(open, (resource) => candidate(resource, words));
    open = [];
    for (const [name, [first, ...others]] of byName) {
      if (first === undefined) continue;
      if (others.length === 0 && !taken.has(name)) {
        taken.add(name);
        variables.set(first, name);
      } else open.push(first, ...others);
    }
    // The uid is unique.
    if (words > mostWords) {
      for (const resource of open) variables.set(resource, fromUid(resource));
      break;
    }
  }
  return variables;
}

const mostWords = 12;

function candidate(resource: Resource, words: number): string {
  const { object, kind, logicalName } = resource;
  const parts = logicalName.split("/").filter((part) => /[a-z]/i.test(part));
  const isNamed = object.kind === kindNames.group || object.kind === kindNames.identity;
  // `shop`, then `shopGroup`, then `engineeringShopGroup`.
  const suffix = isNamed && words === 1 ? "" : kind.name;
  return camelCase([...parts.slice(-Math.max(1, words - 1)), suffix].join(" ")) || fromUid(resource);
}

function fromUid({ kind, object }: Resource): string {
  return camelCase(`${kind.name} ${object.uid}`);
}

function camelCase(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("");
  return /^\d/.test(joined) ? `_${joined}` : joined;
}
