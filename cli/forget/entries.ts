import { z } from "zod";
import { PlatformError } from "../../provider/client/errors";
import { options, printable } from "../../provider/client/printable";
import type { Inputs } from "../../provider/schema/kind";
import type { Stated } from "../../provider/schema/operation";
import { kindNamed, kindNames, kindOfType } from "../../inventory/kinds";
import type { DeclaredObject } from "../../inventory/objects";
import { readStates } from "../../inventory/state";
import { valueOf } from "../shell/files";

const entry = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
  deletedWith: z.string().optional(),
  dependencies: z.array(z.string()).nullish(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
  inputs: z.record(z.string(), z.unknown()).nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
});
const exported = z.looseObject({ deployment: z.looseObject({ resources: z.array(entry).nullish() }) });

/** An entry of a state, with the members that this command needs. */
type Entry = z.output<typeof entry>;

/** A resource that may be forgotten. */
export interface Candidate {
  readonly urn: string;
  /** The objects that it manages; empty if it manages none of the platform. */
  readonly objects: readonly Stated[];
  /** The address at which it was created, according to the state; undefined if the state does not say. */
  readonly address: string | undefined;
}

/** The entries of a state, for this command. */
export class Entries {
  readonly #entries: readonly Entry[];
  readonly #managed: readonly DeclaredObject[];

  /** @param text the output of `pulumi stack export` @throws PlatformError if it is no state */
  constructor(
    text: string,
    private readonly stack: string,
  ) {
    this.#managed = readStates(new Map([[`the state of stack ${stack}`, text]])).managed;
    this.#entries = exported.parse(valueOf(text)).deployment.resources ?? [];
  }

  /**
   * The URN of the resource with a URN or a uid.
   *
   * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
   */
  urnOf(named: string): string {
    const matching = named.startsWith("urn:pulumi:")
      ? this.#entries.filter(({ urn }) => urn === named)
      : [...this.#managed.filter(({ uid }) => uid === named), ...this.#accessOf(named)];
    const urns = [...new Set(matching.map(({ urn }) => urn))];
    const [urn, ...others] = urns;
    const what = `${printable(named)}: the state of stack ${printable(this.stack)}`;
    if (urn === undefined) throw new PlatformError("NOT_FOUND", `${what} has no such resource. Nothing was changed.`);
    if (others.length > 0)
      throw new PlatformError(
        "AMBIGUOUS",
        `${what} has several resources with it. Nothing was changed. Name one:${options(urns)}`,
      );
    return urn;
  }

  /** The resources with these URNs and all their dependents, in the order in which they can be removed. */
  withDependents(urns: readonly string[]): string[] {
    const found = new Set(urns);
    // An entry follows its dependencies.
    for (const each of this.#entries) if (dependenciesOf(each).some((urn) => found.has(urn))) found.add(each.urn);
    return [...new Set(this.#entries.map(({ urn }) => urn).filter((urn) => found.has(urn)))].reverse();
  }

  /** The resource with this URN. @throws PlatformError `NOT_FOUND`; `AMBIGUOUS` if a resource with this URN replaces another */
  candidate(urn: string): Candidate {
    const [found, ...others] = this.#entries.filter((each) => each.urn === urn);
    const what = `${printable(urn)}: the state of stack ${printable(this.stack)}`;
    if (found === undefined) throw new PlatformError("NOT_FOUND", `${what} has no such resource.`);
    if (others.length > 0) throw new PlatformError("AMBIGUOUS", `${what} ${twice}`);
    const { newestCreateTime } = found.outputs ?? {};
    const objects = this.#managed.flatMap(({ urn: of, kind, uid, inputs, outputs }): Stated[] => {
      if (of !== urn || uid === undefined) return [];
      // The state has no time for a role binding of a `GroupAccess`.
      const state: Inputs = { ...inputs, ...(newestCreateTime !== undefined && { createTime: newestCreateTime }), ...outputs };
      return [{ kind: kindNamed(kind), uid, state }];
    });
    const isAccess = kindOfType(found.type) === kindNames.groupAccess;
    const group = isAccess && found.id ? [{ kind: kindNamed(kindNames.group), uid: found.id, state: {} }] : [];
    return { urn, objects: objects.length > 0 ? objects : group, address: this.#addressOf(found) };
  }

  /** The `GroupAccess` resources of a group that have no members. */
  #accessOf(uid: string): Entry[] {
    return this.#entries.filter(({ id, type }) => id === uid && kindOfType(type) === kindNames.groupAccess);
  }

  /** A provider's configuration is in the state, except for values from the environment. */
  #addressOf({ provider }: Entry): string | undefined {
    const inputs = this.#entries.find(({ urn }) => urn === providerUrn(provider))?.inputs ?? {};
    const address = inputs["baseUrl"] ?? inputs["platform:baseUrl"];
    return typeof address === "string" ? address.replace(/\/+$/, "") : undefined;
  }
}

const twice =
  "has two resources with this URN: one replaces the other. Nothing was changed. `pulumi state delete` asks in a terminal which of the two " +
  "you mean; docs/errors.md shows another way.";

/** The URN in a reference to a provider, before its id. */
function providerUrn(reference = ""): string {
  return reference.slice(0, reference.lastIndexOf("::"));
}

function dependenciesOf({ parent, deletedWith, dependencies, propertyDependencies, provider }: Entry): string[] {
  const named = Object.values(propertyDependencies ?? {}).flatMap((urns) => urns ?? []);
  return [parent, deletedWith, providerUrn(provider)].filter((urn) => urn !== undefined).concat(dependencies ?? [], named);
}
