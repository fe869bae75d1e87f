import { levelOf, mayControl } from "../../access/capabilities";
import { kindNames } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";
import { parentOf } from "../../provider/client/uid";
import type { Resource } from "./values";

/** Deleting an object of these kinds takes access, or the objects they made, from others. */
const protectedKinds: ReadonlySet<string> = new Set([kindNames.group, kindNames.identity, kindNames.identityProvider]);

/**
 * True for an object that a program must not delete by accident. These are groups, identities, identity providers, and role bindings with
 * control of the root of an organisation.
 *
 * @param capabilitiesOf the capabilities of a role; undefined if they cannot be read, so that the role may be control
 */
export function isWorthProtecting(
  { kind, place, value }: Pick<PlatformObject, "kind" | "place" | "value">,
  capabilitiesOf: (roleUid: string) => readonly string[] | undefined,
): boolean {
  if (protectedKinds.has(kind)) return true;
  const isInRoot = place !== undefined && parentOf(place) === undefined;
  return kind === kindNames.roleBinding && isInRoot && mayControl(levelOf(capabilitiesOf(String(value["roleUid"]))));
}

/** A file for `pulumi import`, which has one value of `--protect` for the whole file. */
export interface ImportFile {
  readonly name: string;
  readonly isProtected: boolean;
  readonly resources: readonly Resource[];
}

/** The files for `pulumi import`. A resource with `protect` in the program is protected in the state as well, before any update. */
export function importFilesOf({ resources }: { readonly resources: readonly Resource[] }): ImportFile[] {
  const of = (name: string, isProtected: boolean): ImportFile => ({
    name,
    isProtected,
    resources: resources.filter((each) => each.isProtected === isProtected),
  });
  const guarded = of("import-protected.json", true);
  return [...(guarded.resources.length === 0 ? [] : [guarded]), of("import.json", false)];
}

/** The arguments of `pulumi` that import the objects of `file`. */
export function importCommand({ name, isProtected }: ImportFile): string[] {
  return ["import", "--file", name, "--generate-code=false", `--protect=${isProtected}`, "--yes"];
}
