import { parentOf } from "../provider/client/uid";
import { ancestorsOf } from "../access/places";
import type { SnapshotRole } from "../access/snapshot";
import { entriesOf } from "../provider/kinds/group-access";
import { kindNames } from "./kinds";
import { isEnded, type PreviewResource } from "./preview-resources";
import { repeatedNames } from "./previewed-uids";

/** What is known of roles besides those that a preview declares. */
export type KnownRoles = ReadonlyMap<string, SnapshotRole>;

/** The roles that the inputs and outputs of a preview name: uids, and names. */
export function roleTexts(resources: readonly PreviewResource[]): string[] {
  const all = resources.flatMap(({ before, after }) =>
    [before, after].flatMap((state) => {
      const values = { ...state?.inputs, ...state?.outputs };
      const texts = ["roleUid", "roleName", "defaultRole", "defaultRoleName"].map((name) => values[name]);
      const access = [
        ...entriesOf(values["access"]).map(([role]) => role),
        ...entriesOf(values["roleUids"]).map(([, uid]) => uid),
      ];
      return [...texts, ...access].filter((text) => typeof text === "string");
    }),
  );
  return [...new Set(all)].filter((text) => text !== "");
}

/** Finds roles by what programs write for them. */
export class PreviewedRoles {
  readonly #names = new Map<string, string>();
  /** Uids of custom roles that the update removes: no name means them. */
  readonly #ended: ReadonlySet<string | undefined>;
  /** Roles that only a name is known of. */
  readonly unresolved = new Map<string, SnapshotRole>();
  readonly #custom: { uid: string; name: string }[] = [];

  /** @param uidOf uid of a resource after the update */
  constructor(resources: readonly PreviewResource[], known: KnownRoles, uidOf: (resource: PreviewResource) => string) {
    const own = resources.filter(({ kind }) => kind === kindNames.role);
    // What another resource takes over stays.
    const stay = new Set(own.filter(({ after }) => after !== undefined).map(uidOf));
    this.#ended = new Set(own.filter(isEnded).flatMap(({ before }) => (stay.has(before?.id ?? "") ? [] : [before?.id])));
    for (const resource of resources) {
      const { kind, before, after } = resource;
      const outputs = before?.outputs ?? {};
      const [uid, { role }] = [outputs["roleUid"], repeatedNames(outputs)];
      if (typeof uid === "string" && role !== undefined) this.#names.set(uid, role);
      if (kind !== kindNames.role || after === undefined) continue;
      for (const state of [after, ...(resource.fate === "replaced" ? [] : [before])]) {
        const name = state?.inputs?.["name"];
        if (typeof name === "string") this.#custom.push({ uid: uidOf(resource), name });
      }
    }
    // Names that outputs repeat come first: they are those of this platform.
    for (const [uid, { name }] of known) if (!this.#names.has(uid)) this.#names.set(uid, name);
  }

  /** Names of roles by uid. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  /**
   * Uid of the role that a program means by `text` in the group `place`: a uid, or the name of a built-in role, else of the only custom
   * one that has it before or after the update, for nothing says whether the name is resolved before a rename of the same update.
   */
  uid(text: string, place: string): string {
    if (this.#names.has(text) || text.includes("/") || /^[0-9a-f]{40}$/.test(text)) return text;
    const builtIn = [...this.#names].find(([uid, name]) => name === text && !uid.includes("/"));
    if (builtIn !== undefined) return builtIn[0];
    const around = [...ancestorsOf(place), place];
    const all = [...this.#custom, ...[...this.#names].map(([uid, name]) => ({ uid, name }))];
    const named = all.filter(({ uid, name }) => name === text && around.includes(parentOf(uid) ?? "") && !this.#ended.has(uid));
    const [custom, ...others] = new Set(named.map(({ uid }) => uid));
    if (custom !== undefined && others.length === 0) return custom;
    this.unresolved.set(`role ${text}`, { name: text });
    return `role ${text}`;
  }
}
