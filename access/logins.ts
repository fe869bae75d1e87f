import { unknownValue } from "../provider/schema/inputs";
import { openLogins } from "../provider/schema/login-limits";
import type { OpenLogin } from "../provider/schema/open-login";
import { type Constraint, joined, type Relation, relate } from "./constraints";
import type { Snapshot } from "./snapshot";

/** How an identity logs in, in the platform's names: `{ claimMatch: { issuer, subject } }`. */
export type Login = Readonly<Record<string, unknown>>;

/** How a login changes. */
export interface LoginComparison {
  /** `broader`: everybody who could log in still can, and others can too. `other`: others can log in. `unclear`: others may log in. */
  readonly relation: Relation;
  /** Members that differ: `subject`, `claim job_workflow_ref`. */
  readonly members: readonly string[];
}

/** True if others may log in than before. */
export function letsOthersIn(relation: Relation): boolean {
  return relation !== "same" && relation !== "narrower";
}

/** False if a part of the login is known only after the update. The login may then let in anybody. */
export function isWhole(login: Login): boolean {
  return !JSON.stringify(login).includes(unknownValue);
}

/** True if a whole form of the login is known only after the update. */
export function isFormUnknown(login: Login): boolean {
  return Object.values(login).includes(unknownValue);
}

/** Why the login lets in anybody. Undefined for a limited login, and for one whose deciding part is not known. */
export function openIn(login: Login | undefined): OpenLogin | undefined {
  return login === undefined ? undefined : openLogins(login)[0];
}

/** True unless the login provably means one customer of its issuer. Otherwise anybody can get a matching token. */
export function isAnybody(login: Login | undefined): boolean {
  return openIn(login) !== undefined;
}

/** Who may log in now, compared with who could before. */
export function compareLogins(was: Login, is: Login): LoginComparison {
  if (isFormUnknown(was) || isFormUnknown(is)) return { relation: "unclear", members: [] };
  const [[before, wasForm], [after, isForm]] = [constraintsOf(was), constraintsOf(is)];
  if (wasForm !== isForm) return { relation: "other", members: [wasForm, isForm] };
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const relations = names.map((name): [string, Relation] => [
    name,
    relateMember(name, before.get(name) ?? unset(isForm, name), after.get(name) ?? unset(isForm, name)),
  ]);
  const differing = relations.filter(([, relation]) => relation !== "same");
  return { relation: joined(differing.map(([, relation]) => relation)), members: differing.map(([name]) => name) };
}

/** An identity or an identity provider whose login lets in other people. */
export interface LoginChange extends LoginComparison {
  /** Its uid in the later snapshot. */
  readonly uid: string;
  readonly before: Login;
  readonly after: Login;
}

/**
 * The logins of both snapshots that differ.
 *
 * @param moved uid of the same object in `before` for each object in `after` whose uid differs
 */
export function changedLogins(before: Snapshot, after: Snapshot, moved: ReadonlyMap<string, string> = new Map()): LoginChange[] {
  const was = loginsOf(before);
  return [...loginsOf(after)].flatMap(([uid, login]): LoginChange[] => {
    const known = was.get(moved.get(uid) ?? uid);
    if (known === undefined) return [];
    const comparison = compareLogins(known, login);
    return comparison.relation === "same" ? [] : [{ uid, before: known, after: login, ...comparison }];
  });
}

/** Every login of a snapshot, by the uid of its identity or identity provider. */
export function loginsOf({ identities, providers = new Map() }: Snapshot): Map<string, Login> {
  return new Map([...identities, ...providers].flatMap(([uid, { login }]) => (login === undefined ? [] : [[uid, login]])));
}

/**
 * A login without an audience accepts only tokens for the platform itself. The effect of an absent member of a newer platform is not known
 * here.
 */
const acceptsAllIfUnset = /^((pattern of )?(claim .*|issuer|subject|arn|userId)|pattern of audience|expirationTime)$/s;
const acceptsOneIfUnset: Constraint = { is: "exact", value: "" };

function unset(form: string, name: string): Constraint {
  return acceptsAllIfUnset.test(name) && form !== "oidc" ? { is: "none" } : acceptsOneIfUnset;
}

function relateMember(name: string, was: Constraint, is: Constraint): Relation {
  if (name !== "expirationTime") {
    const relation = relate(was, is);
    // No pattern says that tokens for the platform itself may log in, as they may without an audience.
    return relation === "narrower" && is === acceptsOneIfUnset && was.is === "pattern" ? "unclear" : relation;
  }
  const [before, after] = [was, is].map((each) => (each.is === "none" ? NaN : Date.parse(each.value)));
  if (before === after || before === undefined || after === undefined) return "same";
  // The platform sets a time if the login has none, and the other snapshot may show that time.
  if (Number.isNaN(before) || Number.isNaN(after)) return "same";
  return after > before ? "broader" : "narrower";
}

/** Members that do not decide who may log in. */
const irrelevant = new Set(["clientSecret", "clientSecretVersion", "additionalScopes", "pkceEnabled"]);

/** The constraints of the login on a token, by claim, and the form of the login. */
function constraintsOf(login: Login): [Map<string, Constraint>, form: string] {
  const [form = "", value] = Object.entries(login).find(([, each]) => isSet(each)) ?? [];
  if (typeof value !== "object" || value === null) return [new Map([[form, { is: "exact", value: String(value) }]]), form];
  const all = Object.entries(value).flatMap(([member, given]: [string, unknown]): [string, Constraint][] => {
    if (!isSet(given) || irrelevant.has(member)) return [];
    if (member === "claims" || member === "claimPatterns") {
      const is = member === "claims" ? "exact" : "pattern";
      return Object.entries(given as object).map(([claim, expected]) => [`claim ${claim}`, { is, value: textOf(expected) }]);
    }
    const name = member.replace(/Pattern$/, "");
    return [[name, { is: name === member ? "exact" : "pattern", value: textOf(given) }]];
  });
  // An exact value and a pattern of one claim both apply.
  const exact = new Set(all.flatMap(([name, { is }]) => (is === "exact" ? [name] : [])));
  return [
    new Map(all.map(([name, given]) => [given.is === "pattern" && exact.has(name) ? `pattern of ${name}` : name, given])),
    form,
  ];
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !(Array.isArray(value) && value.length === 0) && !(typeof value === "object" && Object.keys(value).length === 0);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(Array.isArray(value) ? [...(value as unknown[])].sort() : value);
}
