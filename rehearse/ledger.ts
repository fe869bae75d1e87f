import { pathOf } from "../access/places";
import { decidesAccess, kindName, kindNamed } from "../inventory/kinds";
import { parentOf } from "../provider/client/uid";
import { registryCredentials } from "../provider/kinds/registry-credentials";
import { secretPaths } from "../provider/schema/hidden-values";
import { valueAt } from "../provider/schema/values";
import { type Call, callsIn, type SentRequest } from "./calls";

/** A call that may give access, in a form that does not depend on the uids of new objects. */
export interface GrantingCall {
  readonly verb: "create" | "update";
  /** Published name of its kind. */
  readonly kind: string;
  /** The group or parent of the object, see {@link Names.reference}. */
  readonly place: string;
  /** The inputs that identify the object in its place, references as paths. Empty for kinds without a natural key. */
  readonly key: Readonly<Record<string, unknown>>;
  /** The members sent, sorted, with references as paths, and without secrets and null members. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** An object by which a uid has a name. */
export interface NamedObject {
  readonly kind: string;
  readonly uid: string;
  readonly name?: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The names of the objects before and after a rehearsal. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, NamedObject["value"]>();

  /** @param objects of both times; the last one of a uid has its name */
  constructor(objects: Iterable<NamedObject>) {
    for (const { kind, uid, name = "", value } of objects) {
      // A group and its account association share one uid, which names the group.
      if (name !== "" && !kindNamed(kind).sharesUid) this.#names.set(uid, name);
      this.#values.set(`${kind} ${uid}`, value);
    }
  }

  /** The path of an object: `acme/engineering/ci`. People, built-in roles and unknown objects keep their uid. */
  reference(uid: string): string {
    const isInOrganization = uid.includes("/") || this.#values.has(`iam:Group ${uid}`);
    return (isInOrganization ? pathOf(uid, (each) => this.#names.get(each)) : undefined) ?? uid;
  }

  /** The fields of an object, before or after. */
  valueOf(kind: string, uid: string): NamedObject["value"] {
    return this.#values.get(`${kind} ${uid}`) ?? {};
  }
}

/**
 * Every call that gives access or decides about it, each once, in the order of their text.
 *
 * @param audience of the tokens for the API. A token for another one is a registry credential
 */
export function grantingCalls(requests: readonly SentRequest[], names: Names, audience = ""): GrantingCall[] {
  const granting = [
    ...callsIn(requests).flatMap((call) => (call.isDone && mayGrant(call) ? [normal(call, names)] : [])),
    ...registryTokens(requests, names, audience),
  ];
  const distinct = new Map(granting.map((call) => [JSON.stringify(call), call]));
  return [...distinct].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, call]) => call);
}

/** Tokens that let others into a registry. Their place is the identity. */
function registryTokens(requests: readonly SentRequest[], names: Names, audience: string): GrantingCall[] {
  return requests.flatMap(({ path, query, status }): GrantingCall[] => {
    const parameters = new URLSearchParams(query);
    const [registry, identity] = [parameters.get("aud") ?? "", parameters.get("identity") ?? ""];
    if (path !== "/sts/exchange" || status !== 200 || registry === audience) return [];
    const place = names.reference(identity);
    return [{ verb: "create", kind: kindName(registryCredentials), place, key: {}, body: { registry } }];
  });
}

/** True for a create or an update of a field that decides who has access. */
function mayGrant({ verb, kind, body }: Call): boolean {
  if (kindNamed(kind).access === "none" || verb === "delete") return false;
  return verb === "create" || Object.keys(body).some((field) => decidesAccess({ kind }, [field]));
}

function normal({ verb, kind: name, uid, body }: Call, names: Names): GrantingCall {
  const kind = kindNamed(name);
  const sent = withoutSecrets(body, secretPaths(kind.fields));
  // An association has the uid of its group.
  const parent = verb === "create" || kind.sharesUid ? uid : (parentOf(uid) ?? uid);
  const known: Readonly<Record<string, unknown>> = verb === "create" ? body : names.valueOf(name, uid);
  const key = Object.fromEntries(kind.naturalKey.map((field) => [field, canonical(known[field], names)]));
  return {
    verb: verb === "create" ? "create" : "update",
    kind: name,
    place: names.reference(parent),
    key,
    body: canonical(sent, names) as Record<string, unknown>,
  };
}

function withoutSecrets(
  body: Readonly<Record<string, unknown>>,
  paths: readonly (readonly (string | number)[])[],
): Record<string, unknown> {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (const path of paths) {
    const holder = valueAt(copy, path.slice(0, -1));
    if (typeof holder === "object" && holder !== null) Reflect.deleteProperty(holder, path.at(-1) ?? "");
  }
  return copy;
}

function canonical(value: unknown, names: Names): unknown {
  if (typeof value === "string") return names.reference(value);
  if (Array.isArray(value)) return value.map((each) => canonical(each, names));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, canonical(member, names)]),
  );
}
