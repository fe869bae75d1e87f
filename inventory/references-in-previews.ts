import { unknownValue } from "../provider/kinds/inputs";
import type { PreviewResource } from "./preview-resources";

/** What stands for a secret in previews: it is the same before and after, so a change is not visible. */
export const hiddenSecret = "[secret]";

/** What a reference of a previewed resource means. */
export type Meaning =
  | { readonly uid: string }
  /** Several resources, of which the preview does not say which. */
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

  /** What the input `name` of the resource means, which should be of `kind`. @param value its value */
  meaning({ after }: PreviewResource, name: string, kind: string, value: unknown): Meaning {
    if (typeof value === "string" && value !== unknownValue && value !== hiddenSecret && value !== "") return { uid: value };
    if (value !== unknownValue) return undefined;
    return this.#of(this.candidates(after, name, kind));
  }

  /** The resources of `kind` that the input depends on: those whose uid is not known yet, if there are any. */
  candidates(after: PreviewResource["after"], name: string, kind: string): PreviewResource[] {
    const urns = after?.propertyDependencies?.[name] ?? [];
    const all = urns.flatMap((urn) => this.#after.get(urn) ?? []).filter((resource) => resource.kind === kind);
    const unknown = all.filter(({ fate, reasons }) => fate === "created" || fate === "replaced" || reasons.length > 0);
    return unknown.length > 0 ? unknown : all;
  }

  #of(candidates: readonly PreviewResource[]): Meaning {
    const [only] = candidates;
    if (only === undefined) return undefined;
    return candidates.length === 1 ? { uid: this.uidOf(only) } : { oneOf: candidates };
  }
}
