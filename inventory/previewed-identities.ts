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
   * @param shown identities that the platform shows
   * @param uidAfter the uid of a resource after the update
   * @param nameOf names of groups, as far as they are known
   */
  constructor(
    resources: readonly PreviewResource[],
    shown: readonly InventoryObject[],
    uidAfter: (resource: PreviewResource) => string,
    private readonly nameOf: (uid: string) => string | undefined,
  ) {
    const declared = resources.flatMap((resource): [string, Values][] =>
      resource.kind === kindNames.identity && resource.after?.inputs ? [[uidAfter(resource), resource.after.inputs]] : [],
    );
    this.#all = new Map([...shown.map(({ uid, value }): [string, Values] => [uid, value]), ...declared]);
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

  /** True for an object at that path, as far as the names of the groups around it are known. */
  #isAt(path: string, uid: string, name: string): boolean {
    const [wanted, names] = [path.split("/"), [...ancestorsOf(uid).map((group) => this.nameOf(group)), name]];
    return names.length === wanted.length && names.every((each, index) => each === undefined || each === wanted[index]);
  }
}
