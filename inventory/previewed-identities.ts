import { isDeepStrictEqual } from "node:util";
import { ancestorsOf } from "../access/places";
import type { Values } from "../provider/kinds/canonical";
import { kindNames } from "./kinds";
import type { InventoryObject } from "./objects";
import type { PreviewResource } from "./preview-resources";

/** The identities that references may mean: those of the program after the update, and those that the platform shows besides. */
export class PreviewedIdentities {
  /** Inputs of those of the program, values of the others, by uid. */
  readonly #all: ReadonlyMap<string, Values>;

  /**
   * @param shown identities that the platform shows; what the update replaces or deletes is none of those that a reference means
   * @param uidAfter the uid of a resource after the update
   * @param nameOf names of groups, as far as they are known
   */
  constructor(
    resources: readonly PreviewResource[],
    shown: readonly InventoryObject[],
    uidAfter: (resource: PreviewResource) => string,
    private readonly nameOf: (uid: string) => string | undefined,
  ) {
    // A preview has nothing of what a program only reads.
    const own = resources.filter(({ kind, after }) => kind === kindNames.identity && after?.external !== true);
    const ended = new Set(own.filter(isEnded).map(({ before }) => before?.id));
    const others = shown.filter(({ uid }) => !ended.has(uid)).map(({ uid, value }): [string, Values] => [uid, value]);
    const declared = own.flatMap((resource): [string, Values][] =>
      resource.after?.inputs ? [[uidAfter(resource), resource.after.inputs]] : [],
    );
    this.#all = new Map([...others, ...declared]);
  }

  /** The uid of the one identity with that path, or with that issuer and subject; undefined for none and for several. */
  meantBy(reference: unknown): string | undefined {
    const [only, ...more] = [...this.#all].filter(([uid, value]) => this.#isMeant(reference, uid, value));
    return more.length === 0 ? only?.[0] : undefined;
  }

  #isMeant(reference: unknown, uid: string, { name, claimMatch }: Values): boolean {
    if (typeof reference === "string") return this.#isAt(reference, uid, String(name));
    const { issuer, subject } = (reference ?? {}) as Values;
    const match = (claimMatch ?? {}) as Values;
    return match["issuer"] === issuer && match["subject"] === subject;
  }

  /** True for an object at that path. Programs have the root by its uid, so only the name of that may be unknown. */
  #isAt(path: string, uid: string, name: string): boolean {
    const [root, ...below] = path.split("/");
    if (below.at(-1) !== name) return false;
    const [top, ...groups] = ancestorsOf(uid).map((group) => this.nameOf(group));
    return (top ?? root) === root && isDeepStrictEqual([...groups, name], below);
  }
}

/** True for an object that the update removes, alone or for another in its place. */
function isEnded({ fate, before }: PreviewResource): boolean {
  return fate === "deleted" || (fate === "replaced" && before?.retainOnDelete !== true);
}
