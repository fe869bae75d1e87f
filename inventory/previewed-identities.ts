import { isAnybody, isWhole } from "../access/logins";
import { ancestorsOf } from "../access/places";
import type { Values } from "../provider/schema/values";
import { kindNames } from "./kinds";
import type { InventoryObject } from "./objects";
import { isEnded, type PreviewResource } from "./preview-resources";
import { loginIn } from "./snapshot-of";

/**
 * The identities that references may mean: those of the program, and those that the platform shows besides. A reference is resolved
 * when its resource is created, and nothing says whether a rename of the same update comes before, so any name counts that an object
 * has before or after it.
 */
export class PreviewedIdentities {
  /** Inputs and outputs of those of the program, values of the others, before and after the update, by uid. */
  readonly #all: ReadonlyMap<string, readonly Values[]>;

  /**
   * @param shown identities that the platform shows; what the update replaces or deletes is none of those that a reference means
   * @param uidAfter the uid of a resource after the update
   * @param namesOf names of groups before and after the update, as far as they are known
   */
  constructor(
    resources: readonly PreviewResource[],
    shown: readonly InventoryObject[],
    uidAfter: (resource: PreviewResource) => string,
    private readonly namesOf: (uid: string) => readonly string[],
  ) {
    // A preview has nothing of what a program only reads.
    const own = resources.filter(({ kind, after }) => kind === kindNames.identity && after?.external !== true);
    const ended = new Set(own.filter(isEnded).map(({ before }) => before?.id));
    const others = shown.filter(({ uid }) => !ended.has(uid)).map(({ uid, value }): [string, Values] => [uid, value]);
    const declared = own.flatMap((resource): [string, Values][] => {
      const { before, after, fate } = resource;
      const stays = fate === "replaced" ? undefined : before;
      const values = [stays?.inputs, stays?.outputs, after?.inputs].flatMap((each): Values[] => (each ? [each] : []));
      return after === undefined ? [] : values.map((each) => [uidAfter(resource), each]);
    });
    const byUid = Map.groupBy([...others, ...declared], ([uid]) => uid);
    this.#all = new Map([...byUid].map(([uid, entries]) => [uid, entries.map(([, value]) => value)]));
  }

  /**
   * Uids of the identities that may have that path, or that issuer and subject, when the reference is resolved. Undefined is one of them
   * where an identity has the login only before the update or only after it: the reference may then mean an identity that nothing here shows.
   */
  meantBy(reference: unknown): (string | undefined)[] {
    return [...this.#all].flatMap(([uid, values]) => {
      if (typeof reference === "string") return this.#isAt(reference.split("/"), uid, values) ? [uid] : [];
      const logins = values.filter((each) => hasLogin(each, (reference ?? {}) as Values));
      return logins.length === 0 ? [] : logins.length === values.length ? [uid] : [uid, undefined];
    });
  }

  /** Of the logins of these identities, before and after the update, one that lets in most: that anybody has, or is not known yet. */
  worstLogin(uids: readonly string[]): Values {
    const logins = uids.flatMap((uid) => this.#all.get(uid) ?? []).map(loginIn);
    return logins.find(isAnybody) ?? logins.find((login) => !isWhole(login)) ?? {};
  }

  /** True for an object at that path. Programs have the root by its uid, so only the name of that may be unknown. */
  #isAt(path: readonly unknown[], uid: string, values: readonly Values[]): boolean {
    const names = [...ancestorsOf(uid).map((group) => this.namesOf(group)), values.map(({ name }) => name)];
    const isNamed = (each: readonly unknown[], at: number) => each.includes(path[at]) || (at === 0 && each.length === 0);
    return names.length === path.length && names.every(isNamed);
  }
}

function hasLogin({ claimMatch }: Values, { issuer, subject }: Values): boolean {
  const match = (claimMatch ?? {}) as Values;
  return match["issuer"] === issuer && match["subject"] === subject;
}
