import { kindNames as names } from "../inventory/kinds";
import type { DeclaredObject, PlatformObject } from "../inventory/objects";
import type { PlatformInventory } from "../inventory/platform";
import type { StateObjects } from "../inventory/state";
import { shortList } from "../provider/client/printable";
import { isAtOrBelow, parentOf } from "../provider/client/uid";
import { boundLogin } from "../provider/kinds/bound-login";
import { isValues } from "../provider/schema/values";
import { accessFields, type FieldDrift } from "./fields";

/** Maximum number of identities or bindings in a note. */
const mostNamed = 3;

/**
 * The logins of identities that managed role bindings name although no state contains them. A person who changes such a login takes over
 * the role bindings. Answers about a binding show only an exact issuer and subject of the login, so nothing else is compared.
 */
export class BoundLogins {
  /** Identities that a state manages or reads. In the compared part, they are compared themselves. */
  readonly #inStates: ReadonlySet<string>;
  /** Identities of the states outside of the compared part that a managed role binding inside names. */
  readonly #outside: readonly string[];
  /** The managed role bindings of every other identity in a group. */
  readonly #bindings: ReadonlyMap<string, DeclaredObject[]>;

  constructor(
    private readonly inventory: Pick<PlatformInventory, "root" | "objects" | "around">,
    { managed, referred }: StateObjects,
  ) {
    const identities = [...managed, ...referred].filter(({ kind }) => kind === names.identity);
    this.#inStates = new Set(identities.flatMap(({ uid }) => uid ?? []));
    const bindings = managed.filter(({ kind, pending }) => kind === names.roleBinding && pending === undefined);
    const inside = bindings.filter(({ uid = "" }) => isAtOrBelow(uid, inventory.root));
    const named = new Set(inside.map(({ value }) => String(value["identityUid"])));
    this.#outside = [...named].filter((uid) => this.#inStates.has(uid) && !isAtOrBelow(uid, inventory.root));
    this.#bindings = Map.groupBy(
      bindings.filter(({ value }) => this.#isOthers(value["identityUid"])),
      ({ value }) => String(value["identityUid"]),
    );
  }

  /**
   * The difference between the login now and the login when the resource first named the identity. Empty if there is none or the login is
   * unknown.
   */
  changed({ kind, value, outputs: { login } }: DeclaredObject, actual: PlatformObject): FieldDrift[] {
    const uid = actual.value["identityUid"];
    if (kind !== names.roleBinding || typeof login !== "string" || uid !== value["identityUid"] || !this.#isOthers(uid))
      return [];
    const now = boundLogin(uid, Reflect.get(actual.row, "identity"));
    if (now === undefined || now === login) return [];
    const identity = this.#identity(String(uid));
    // The identity's own fields are added, because a digest does not show further changes of a pattern.
    const fields = identity === undefined ? [] : accessFields(identity);
    return [
      { path: "login", declared: login, actual: now },
      ...fields.map((field) => ({ ...field, path: `identity.${field.path}` })),
    ];
  }

  /** True for an identity of managed role bindings whose login may change without a trace in any binding. */
  isUnwatched(uid: string): boolean {
    const identity = this.#bindings.has(uid) ? this.#identity(uid) : undefined;
    return identity !== undefined && !isExact(identity);
  }

  /** Notes on logins that are not compared. @param pathOf names an object, for people */
  notes(pathOf: (uid: string) => string): string[] {
    const unwatched = [...this.#bindings.keys()].filter(
      (uid) => this.inventory.around.has(names.identity, uid) && this.isUnwatched(uid),
    );
    const outside = [...unwatched, ...this.#outside];
    const old = [...this.#bindings].flatMap(([uid, bindings]) =>
      this.#identity(uid) === undefined ? [] : bindings.filter(({ outputs }) => outputs["login"] === undefined),
    );
    return [
      ...(outside.length === 0
        ? []
        : [
            `Not compared: how ${shortList(outside.map(pathOf), mostNamed)} logs in. Role bindings of the states name it, and it is outside of the ` +
              "compared group. Check a group that contains it too, with a state that declares it or reads it with `Identity.get`.",
          ]),
      ...(old.length === 0
        ? []
        : [
            `Not compared: the login of the identity in ${shortList([...new Set(old.map(({ urn }) => urn))], mostNamed)}. ` +
              "The state does not have that yet: `pulumi up --refresh --run-program` adds it.",
          ]),
    ];
  }

  #isOthers(uid: unknown): boolean {
    return typeof uid === "string" && parentOf(uid) !== undefined && !this.#inStates.has(uid);
  }

  #identity(uid: string): PlatformObject | undefined {
    return this.inventory.objects.get(names.identity, uid) ?? this.inventory.around.get(names.identity, uid);
  }
}

/** True for a login that an answer about a role binding shows completely. */
function isExact({ value: { claimMatch } }: PlatformObject): boolean {
  return isValues(claimMatch) && Object.keys(claimMatch).every((member) => member === "issuer" || member === "subject");
}
