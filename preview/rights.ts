import { isDeepStrictEqual } from "node:util";
import { holder, type Holder, isPersonUid, located, type Located } from "../access/holders";
import type { Snapshot, Unreadable } from "../access/snapshot";
import { nameInWords } from "../access/values";
import { kindNames } from "../inventory/kinds";
import { shortList } from "../provider/client/printable";
import { isAtOrBelow, organizationOf, parentOf } from "../provider/client/uid";
import type { Applied } from "./apply";
import { type Call, callsOf, type Need, type Shown } from "./needs";
import { nameOf } from "./plan";

/** The identity that will run `pulumi up`, and the visible objects of the organisations in the preview. */
export interface Caller extends Shown {
  /** Undefined if nothing says which identity it is. */
  readonly uid: string | undefined;
}

/** A call that the platform will refuse. */
export interface Refusal extends Unreadable {
  /** The capabilities that the caller lacks. */
  readonly capabilities: readonly string[];
  /** The place in which it needs them, there or above. */
  readonly at: Located;
  /** Absent for an object that is deleted with a group of the program. */
  readonly urn?: string;
}

/** Whether the caller may make the calls of an update. */
export interface Rights {
  /** Undefined if nothing says which identity it is. */
  readonly caller: (Located & Holder) | undefined;
  /** The number of calls that the preview shows. */
  readonly calls: number;
  /** Calls that the platform will certainly refuse. */
  readonly refused: readonly Refusal[];
  /** Calls that the platform may refuse or accept. */
  readonly unchecked: readonly Unreadable[];
}

/** The facts to judge each need. */
interface Access extends Pick<Applied, "made"> {
  readonly before: Snapshot;
  readonly least: Snapshot;
  readonly caller: Caller;
}

/** Most capabilities that a reason names. */
const mostNamed = 5;

/**
 * Judges whether the caller may make the calls of an update, by the capabilities of its role bindings before the update.
 *
 * @param before the access before the update
 * @param least the least access after it
 */
// See docs/decisions/0048-whose-rights-a-review-checks.md.
export function rightsFor(applied: Applied, before: Snapshot, least: Snapshot, caller: Caller): Rights {
  const calls = callsOf(applied, least, caller);
  const { uid } = caller;
  const why = doubtAbout(applied, before, least, uid);
  const access = { before, least, made: applied.made, caller };
  const found = why === undefined ? calls.flatMap((call) => problemIn(call, access) ?? []) : [];
  return {
    caller: uid === undefined ? undefined : holder(before, uid),
    calls: calls.length,
    refused: found.filter((each): each is Refusal => "capabilities" in each),
    unchecked: [
      ...(why === undefined || calls.length === 0 ? [] : [{ what: "the rights of the caller", reason: why }]),
      ...found.filter((each) => !("capabilities" in each)),
      ...applied.unknownKinds.map(({ urn, kind }) => ({
        what: `the calls for ${nameInWords(nameOf(urn))}`,
        reason: `this release knows no ${kind}`,
      })),
    ],
  };
}

/** Why the access of the caller before the update decides no call; undefined if it does. */
function doubtAbout({ open, made }: Applied, before: Snapshot, least: Snapshot, uid: string | undefined): string | undefined {
  if (uid === undefined)
    return "it is unknown as which identity `pulumi up` runs. Set platform:identity and pass --stack, or use `review --as`";
  const held = ({ bindings, roles }: Snapshot) =>
    bindings
      .filter(({ identityUid }) => identityUid === uid || isOpen(made, identityUid))
      .map((each) => [each.uid, each.place, each.roleUid, roles.get(each.roleUid)?.capabilities])
      .sort();
  if (!isDeepStrictEqual(held(before), held(least))) return "the update changes its role bindings or its roles";
  return open.some(({ is }) => is === "undecided") ? "the preview does not show the whole update" : undefined;
}

/** The first need of a call that the caller may not meet; undefined if it certainly meets all. */
function problemIn(call: Call, access: Access): Refusal | Unreadable | undefined {
  return call.needs.map((need) => problemOf(call, need, access)).find((each) => each !== undefined);
}

function problemOf({ what, urn }: Call, need: Need, { before, least, made, caller }: Access): Refusal | Unreadable | undefined {
  const { at, capabilities, role } = need;
  const of = role === undefined ? "" : ` of the role ${nameInWords(role)}`;
  if (isOpen(made, organizationOf(at))) return { what, reason: "its place is known only after the update" };
  if (capabilities === undefined) return { what, reason: `nothing shows the capabilities${of}` };
  const roles = before.bindings.filter((each) => each.identityUid === caller.uid && isAtOrBelow(at, each.place));
  const forms = roles.map(({ roleUid }) => before.roles.get(roleUid)?.capabilities);
  const lacking = capabilities.filter((capability) => !forms.some((form) => form?.includes(capability)));
  if (lacking.length === 0) return undefined;
  const place = { ...located(before, at), ...located(least, at) };
  const reason = `it lacks ${shortList(lacking, mostNamed)}${of} in ${nameInWords(place.path ?? at)}`;
  const unreadable = forms.includes(undefined) ? "a role that it has there cannot be read" : undefined;
  const doubt = need.doubt ?? unreadable ?? unseenRoles(caller, at);
  if (doubt !== undefined) return { what, reason: `${reason}, but ${doubt}` };
  return { what, reason, capabilities: lacking, at: place, ...(urn !== undefined && { urn }) };
}

/** Why the caller may have roles that are not shown; undefined if all are. */
function unseenRoles(shown: Caller, at: string): string | undefined {
  if (isPersonUid(shown.uid ?? ""))
    return "a person may also have roles through an identity provider, and the platform does not list their holders";
  return shown.shows(kindNames.roleBinding, `${organizationOf(at)}/any`) ? undefined : "not all role bindings are visible";
}

/** True for the key of an unknown object, which has no place. */
function isOpen(made: ReadonlySet<string>, key: string): boolean {
  return made.has(key) && parentOf(key) === undefined;
}
