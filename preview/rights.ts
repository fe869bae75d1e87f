import { holder, type Holder, isPersonUid, located, type Located } from "../access/holders";
import type { Snapshot, Unreadable } from "../access/snapshot";
import { nameInWords } from "../access/values";
import { kindNames } from "../inventory/kinds";
import { shortList } from "../provider/client/printable";
import { isAtOrBelow, organizationOf, parentOf } from "../provider/client/uid";
import type { Applied } from "./apply";
import { type Call, callsOf, type Need, type Shown } from "./calls";
import { nameOf } from "./plan";

/** The identity that will run `pulumi up`, and what the platform shows of the organisations in the preview. */
export interface Caller extends Shown {
  /** Undefined where nothing says which identity it is. */
  readonly uid: string | undefined;
}

/** A call that the platform will refuse. */
export interface Refusal extends Unreadable {
  /** What the caller lacks. */
  readonly capabilities: readonly string[];
  /** Where it needs that, there or above. */
  readonly at: Located;
  /** Absent for what goes with a group of the program. */
  readonly urn?: string;
}

/** Whether the caller may make the calls of an update. */
export interface Rights {
  /** Undefined where nothing says who it is. */
  readonly caller: (Located & Holder) | undefined;
  /** How many calls the preview shows. */
  readonly calls: number;
  /** Calls that the platform will refuse, for certain. */
  readonly refused: readonly Refusal[];
  /** What the platform may refuse or not. */
  readonly unchecked: readonly Unreadable[];
}

/** Most capabilities that a reason names. */
const mostNamed = 5;

/**
 * Whether the caller may make the calls of an update: by what the platform documents that they require, and by the role bindings of the
 * caller before the update and after it.
 *
 * @param before who may do what before the update, and `after` it
 */
// See docs/decisions/0048-whose-rights-a-review-checks.md.
export function rightsFor(applied: Applied, before: Snapshot, after: Snapshot, caller: Caller): Rights {
  const calls = callsOf(applied, before, after, caller);
  const { uid } = caller;
  if (uid === undefined) {
    const reason =
      "it is unknown as which identity `pulumi up` runs. Set platform:identity and pass --stack, or use `review --as`";
    const unchecked = calls.length === 0 ? [] : [{ what: "the rights of the caller", reason }];
    return { caller: undefined, calls: calls.length, refused: [], unchecked };
  }
  // A key that stands for what is not known has no place.
  const isOpen = (key: string) => applied.made.has(key) && parentOf(key) === undefined;
  const held = new Held(before, after, uid, isOpen);
  const placeOf = (at: string) => ({ ...located(before, at), ...located(after, at) });
  /** What is wrong with one need; undefined if the caller has what it takes. */
  const judge = ({ what, urn }: Call, { at, capabilities, role, doubt }: Need): Refusal | Unreadable | undefined => {
    if (isOpen(organizationOf(at))) return { what, reason: "its place is known after the update only" };
    const of = role === undefined ? "" : ` of the role ${nameInWords(role)}`;
    if (capabilities === undefined) return { what, reason: `nothing shows the capabilities${of}` };
    const named = (some: readonly string[]) => `${shortList(some, mostNamed)}${of} in ${nameInWords(placeOf(at).path ?? at)}`;
    const lacking = capabilities.filter((capability) => held.has(capability, at) === false);
    if (lacking.length > 0) {
      const reason = `it lacks ${named(lacking)}`;
      const but = doubt ?? unseenRoles(uid, at, caller);
      if (but !== undefined) return { what, reason: `${reason}, but ${but}` };
      return { what, reason, capabilities: lacking, at: placeOf(at), ...(urn !== undefined && { urn }) };
    }
    const open = capabilities.filter((capability) => held.has(capability, at) === undefined);
    if (open.length === 0) return undefined;
    return {
      what,
      reason: `the update changes whether the caller has ${named(open)}, or a role that it has or gets cannot be read`,
    };
  };
  const found = calls.flatMap((call) => call.needs.flatMap((need) => judge(call, need) ?? []));
  return {
    caller: holder(before, uid),
    calls: calls.length,
    refused: found.filter((each): each is Refusal => "capabilities" in each),
    unchecked: [
      ...found.filter((each) => !("capabilities" in each)),
      ...applied.unknownKinds.map(({ urn, kind }) => ({
        what: `the calls for ${nameInWords(nameOf(urn))}`,
        reason: `this release knows no ${kind}`,
      })),
    ],
  };
}

/** Why the caller may have roles that are not shown; undefined if it has none. */
function unseenRoles(uid: string, at: string, shown: Shown): string | undefined {
  if (isPersonUid(uid)) return "a person may also have roles by an identity provider, of which the platform lists no holders";
  return shown.shows(kindNames.roleBinding, `${organizationOf(at)}/any`) ? undefined : "not all role bindings are visible";
}

/** What one identity may do at every time of an update. */
class Held {
  /** The role bindings that it has before the update or after it, or may have. */
  readonly #bindings: readonly { readonly place: string; readonly roles: readonly string[]; readonly stays: boolean }[];
  readonly #answers = new Map<string, boolean | undefined>();

  constructor(
    private readonly before: Snapshot,
    private readonly after: Snapshot,
    identity: string,
    private readonly isOpen: (key: string) => boolean,
  ) {
    const all = [...before.bindings, ...after.bindings].filter(
      ({ identityUid }) => identityUid === identity || isOpen(identityUid),
    );
    this.#bindings = [...Map.groupBy(all, ({ uid }) => uid).values()].map((forms) => ({
      place: forms[0]?.place ?? "",
      roles: forms.map(({ roleUid }) => roleUid),
      stays: forms.filter(({ identityUid }) => identityUid === identity).length === 2,
    }));
  }

  /** Undefined if it depends on when it is asked, or on what is not shown. */
  has(capability: string, at: string): boolean | undefined {
    const key = `${capability} ${at}`;
    if (!this.#answers.has(key)) this.#answers.set(key, this.#find(capability, at));
    return this.#answers.get(key);
  }

  #find(capability: string, at: string): boolean | undefined {
    const answers = this.#bindings
      .filter(({ place }) => isAtOrBelow(at, place) || this.isOpen(organizationOf(place)))
      .map(({ place, roles, stays }) => {
        const forms = roles.flatMap((role) => this.#formsOf(role)).map((capabilities) => capabilities?.includes(capability));
        if (stays && isAtOrBelow(at, place) && forms.every((each) => each === true)) return true;
        return forms.every((each) => each === false) ? false : undefined;
      });
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : false;
  }

  /** The capabilities of a role before the update and after it. */
  #formsOf(role: string): (readonly string[] | undefined)[] {
    const forms = [this.before.roles.get(role), this.after.roles.get(role)].filter((form) => form !== undefined);
    return forms.length === 0 ? [undefined] : forms.map(({ capabilities }) => capabilities);
  }
}
