import type { StateResource } from "./private-stack";

/**
 * The resources that depend on one of `origins`, by URN, each with the nearest of these.
 *
 * @param resources of a state, in which dependencies come first
 */
export function dependentsOf(resources: readonly StateResource[], origins: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const resource of resources) {
    const origin = dependenciesOf(resource)
      .map((urn) => (origins.has(urn) ? urn : found.get(urn)))
      .find((urn) => urn !== undefined);
    if (origin !== undefined) found.set(resource.urn, origin);
  }
  return found;
}

function dependenciesOf({ dependencies, propertyDependencies, deletedWith, provider }: StateResource): string[] {
  const byProperty = Object.values((propertyDependencies ?? {}) as Record<string, string[] | null>);
  // A reference to a provider is its URN and its id.
  const ofProvider = typeof provider === "string" ? provider.split("::").slice(0, -1).join("::") : undefined;
  return [...((dependencies ?? []) as string[]), ...byProperty.flatMap((urns) => urns ?? []), deletedWith, ofProvider].filter(
    (urn) => typeof urn === "string",
  );
}
