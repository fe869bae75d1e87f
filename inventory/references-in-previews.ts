import { alternatives, shortList } from "../provider/client/printable";
import { unknownValue } from "../provider/schema/inputs";
import type { PreviewResource } from "./preview-resources";

/** What stands for a secret in previews: it is the same before and after, so a change is not visible. */
export const hiddenSecret = "[secret]";

/** What a reference of a previewed resource means; undefined where it is not set, or a secret. */
export type Meaning =
  /** With `taken`: the value is known after the update only, and taken for the uid of that resource, which it depends on. */
  | { readonly uid: string; readonly taken?: PreviewResource }
  /** The preview does not say which: perhaps one of these, which the value depends on. */
  | { readonly oneOf: readonly PreviewResource[] }
  | undefined;

/** Resources of a preview, to find those that a reference means whose uid is not known yet. */
export class References {
  readonly #after: ReadonlyMap<string, PreviewResource>;

  /** @param uidOf uid of a resource after the update */
  constructor(
    resources: readonly PreviewResource[],
    private readonly uidOf: (resource: PreviewResource) => string,
  ) {
    this.#after = new Map(resources.flatMap((resource) => (resource.after === undefined ? [] : [[resource.urn, resource]])));
  }

  /**
   * What the input `name` of the resource means, which should be of `kind`. A preview shows what a value depends on, and not how: what a
   * function of the program (`apply`) returns may be any uid. So only a value that depends on one resource is taken for its uid.
   *
   * @param value its value
   */
  meaning({ after }: PreviewResource, name: string, kind: string, value: unknown): Meaning {
    if (typeof value === "string" && value !== unknownValue && value !== hiddenSecret && value !== "") return { uid: value };
    if (value !== unknownValue) return undefined;
    const candidates = this.candidates(after, name, kind);
    const [only, ...others] = candidates;
    if (only === undefined || others.length > 0 || this.hasOthers(after, name, kind) || !isUidOpen(only))
      return { oneOf: candidates };
    return { uid: this.uidOf(only), taken: only };
  }

  /** True if the input also depends on what is not of `kind`, such as the outputs of another stack: its value was computed. */
  hasOthers(after: PreviewResource["after"], name: string, kind: string): boolean {
    return new Set(after?.propertyDependencies?.[name]).size > this.candidates(after, name, kind).length;
  }

  /** The resources of `kind` that the input depends on. */
  candidates(after: PreviewResource["after"], name: string, kind: string): PreviewResource[] {
    const urns = after?.propertyDependencies?.[name] ?? [];
    return urns.flatMap((urn) => this.#after.get(urn) ?? []).filter((resource) => resource.kind === kind);
  }
}

/** False where a preview shows the uid: what is not known yet is something else, even if it depends on the resource. */
export function isUidOpen({ fate, reasons }: PreviewResource): boolean {
  return fate === "created" || fate === "replaced" || reasons.length > 0;
}

/** Most resources that a reason names. */
const mostNamed = 6;

/** Why it is not known what a value means. @param candidates what it depends on */
export function openReason(candidates: readonly PreviewResource[]): string {
  const some = candidates.length > mostNamed ? [...namesOf(candidates.slice(0, mostNamed)), "another"] : namesOf(candidates);
  return `it is known after the update only${some.length === 0 ? "" : `, and may be that of ${alternatives(some)}`}`;
}

/** For which resources values that are known after the update only are taken. */
export function takenReason(resources: readonly PreviewResource[]): string {
  return `it is known after the update only, and taken for ${shortList(namesOf(resources), mostNamed)}, which it depends on`;
}

function namesOf(resources: readonly PreviewResource[]): string[] {
  return resources.map(({ urn }) => urn.split("::").at(-1) ?? "");
}
