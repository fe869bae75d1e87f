import { kindName, kindNamed } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import { lineageOf, parentOf } from "../provider/client/uid";
import { registryCredentials } from "../provider/kinds/registry-credentials";
import type { Values } from "../provider/schema/values";
import { callsIn, type SentRequest } from "./calls";
import { lasting } from "./lasting";
import {
  childPath,
  decidingFields,
  effectOf,
  type GrantingCall,
  mayGrant,
  normalForm,
  type Objects,
  placeOf,
  textsIn,
  uidsIn,
} from "./normal-form";

/** An object by which a uid has a name. */
export interface NamedObject {
  readonly kind: string;
  readonly uid: string;
  readonly name?: string;
  readonly value: Values;
}

/** A granting call, and how often it may be done. */
export interface LedgerCall extends GrantingCall {
  /** For a create of a kind without a natural key, which makes one more object each time. Default: any number. */
  readonly times?: number | undefined;
}

/** An object that a granting call names, as it was before the rehearsal, or as it was afterwards. */
export interface LedgerObject {
  readonly kind: string;
  /** Absent for an object that the rehearsal has made. */
  readonly uid?: string | undefined;
  /** `acme/engineering/ci`; the path of the parent for an object without a name, and the uid for a built-in role. */
  readonly path: string;
  readonly name?: string | undefined;
  /** True for the state before the rehearsal of an object that the rehearsal has changed or deleted. */
  readonly former?: true | undefined;
  /** The fields that decide who has access. */
  readonly decides: Readonly<Record<string, unknown>>;
}

/** The calls of an update that may give access, and the objects that they name. */
export interface Ledger {
  /** The platform's time before the rehearsal, RFC 3339. */
  readonly since: string;
  readonly calls: LedgerCall[];
  readonly objects: LedgerObject[];
}

/** A rehearsed update. */
export interface RehearsedUpdate {
  /** The platform's time before its organisation was copied, RFC 3339. */
  readonly since: string;
  /** The requests that the copy was sent. */
  readonly requests: readonly SentRequest[];
  readonly before: readonly NamedObject[];
  readonly after: readonly NamedObject[];
  /** Audience of the tokens for the API. A token for another one is a registry credential. Default: empty */
  readonly audience?: string;
  /** Uid of the identity of the run. Default: empty */
  readonly identity?: string | undefined;
}

/** The objects before and after a rehearsal. */
export class Names implements Objects {
  readonly #names = new Map<string, string>();
  readonly #before: ReadonlyMap<string, NamedObject>;
  readonly #after: ReadonlyMap<string, NamedObject>;

  /** An object that was renamed has its last name. One whose name another one beside it has too is called by its uid. */
  constructor(before: readonly NamedObject[], after: readonly NamedObject[]) {
    // A group and its account association share one uid, which names the group.
    const isNamed = ({ kind, name = "" }: NamedObject) => name !== "" && !kindNamed(kind).sharesUid;
    for (const { uid, name = "" } of [...before, ...after].filter(isNamed)) this.#names.set(uid, name);
    const places = Map.groupBy(after.filter(isNamed), ({ kind, uid, name }) => JSON.stringify([kind, parentOf(uid), name]));
    for (const twins of places.values()) if (twins.length > 1) for (const { uid } of twins) this.#names.delete(uid);
    this.#before = new Map(before.map((each) => [objectKey(each), each]));
    this.#after = new Map(after.map((each) => [objectKey(each), each]));
  }

  reference(uid: string): string {
    const [name, parent, group] = [this.#names.get(uid), parentOf(uid), objectKey({ kind: "iam:Group", uid })];
    if (name === undefined) return uid;
    if (parent !== undefined) return childPath(this.reference(parent), name);
    return this.#before.has(group) || this.#after.has(group) ? name : uid;
  }

  isOlder(kind: string, uid: string): boolean {
    return this.#before.has(objectKey({ kind, uid }));
  }

  valueOf(kind: string, uid: string): Values {
    return (this.#before.get(objectKey({ kind, uid })) ?? this.#after.get(objectKey({ kind, uid })))?.value ?? {};
  }

  /**
   * The objects with these uids, as they were before and, if they have changed, as they were afterwards, and the objects to which they
   * refer. People are left out.
   */
  shown(uids: ReadonlySet<string>): LedgerObject[] {
    const named = [this.#before, this.#after].flatMap((all) => withUid(all, uids));
    // A reader of an object finds the paths of its references by these.
    const all = new Set([...uids, ...named.flatMap(({ value }) => textsIn(value))]);
    const after = withUid(this.#after, all).map((object) => this.#shown(object));
    const last = new Set(after.map((object) => JSON.stringify(object)));
    const before = withUid(this.#before, all).map((object) => this.#shown(object));
    const former = before.filter((object) => !last.has(JSON.stringify(object)));
    return distinct([...after, ...former.map((object): LedgerObject => ({ ...object, former: true }))]);
  }

  #shown({ kind, uid, name, value }: NamedObject): LedgerObject {
    const isNamed = name !== undefined && !kindNamed(kind).sharesUid;
    return {
      kind,
      ...(this.isOlder(kind, uid) && { uid }),
      path: this.reference(isNamed ? uid : placeOf({ verb: "update", kind, uid })),
      ...(isNamed && { name }),
      decides: decidingFields(kind, value, this, !this.isOlder(kind, uid)),
    };
  }
}

/** The calls that give access or decide about it, each once, in the order of their text, and the objects that they name. */
export function ledgerOf({ since, requests, before, after, audience = "", identity = "" }: RehearsedUpdate): Ledger {
  const names = new Names(before, after);
  const calls = lasting(
    callsIn(requests).filter((call) => call.isDone && mayGrant(call)),
    { isOlder: (kind, uid) => names.isOlder(kind, uid), after },
  );
  const tokens = registryTokens(requests, audience, identity);
  const uids = new Set([...calls.flatMap(uidsIn), ...calls.map(objectKey), ...tokens.flatMap(({ place }) => lineageOf(place))]);
  return {
    since,
    calls: counted([
      ...calls.map((call) => normalForm(call, names)),
      ...tokens.map((token) => ({ ...token, place: names.reference(token.place) })),
    ]),
    objects: names.shown(uids),
  };
}

/** Tokens that let others into a registry. Their place is the uid of the identity. */
function registryTokens(requests: readonly SentRequest[], audience: string, identity: string): GrantingCall[] {
  return requests.flatMap(({ path, query, status }): GrantingCall[] => {
    const parameters = new URLSearchParams(query);
    const registry = parameters.get("aud") ?? "";
    if (path !== "/sts/exchange" || status !== 200 || registry === audience) return [];
    return [registryToken(registry, parameters.get("identity") ?? identity)];
  });
}

/** The normal form of a token for a registry. @param place of the identity */
export function registryToken(registry: string, place: string): GrantingCall {
  return { verb: "create", kind: kindName(registryCredentials), place, key: {}, body: { registry } };
}

function counted(calls: readonly GrantingCall[]): LedgerCall[] {
  const byEffect = Map.groupBy(calls, effectOf);
  return distinct(calls).map((call) => (isCounted(call) ? { ...call, times: byEffect.get(effectOf(call))?.length } : call));
}

/** True for a call that makes one more object each time it is sent. */
function isCounted({ verb, kind }: GrantingCall): boolean {
  return verb === "create" && kind !== kindName(registryCredentials) && kindNamed(kind).naturalKey.length === 0;
}

function distinct<Value>(values: readonly Value[]): Value[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

/** The objects with these uids; an account association, which has the uid of its group, with this key. People are left out. */
function withUid(objects: ReadonlyMap<string, NamedObject>, uids: ReadonlySet<string>): NamedObject[] {
  const isWanted = (object: NamedObject) => uids.has(kindNamed(object.kind).sharesUid ? objectKey(object) : object.uid);
  // The uid of a person stands for one login for ever, and no List shows it.
  return [...objects.values()].filter(
    (object) => isWanted(object) && (object.kind !== "iam:Identity" || parentOf(object.uid) !== undefined),
  );
}
