import { PlatformError, withAdvice, withContext } from "../../client/errors";
import { groupText } from "../../client/known-paths";
import { groupAccess, type Member, membersIn, roleUidsIn } from "../../kinds/group-access";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { type DeclaredReference, isGiven, isUnknown } from "../../schema/references";
import { isValues, withSortedMembers, type Values } from "../../schema/values";
import { type AskedName, type Checking, firstUid, placeIn, rejection } from "../naming/asked-name";
import { type CheckedNames, checkNames } from "../naming/check-names";
import { newMeaning, rejectOwnLogin } from "../naming/meaning";
import type { Referring } from "../naming/needs";
import { Unresolved } from "../naming/problem";
import { resolveNames } from "../naming/resolve";
import { roleWritten } from "../naming/role-name";
import { rolesIn } from "./members";

/** A member whose uid is not known yet. */
type Named = Member & { readonly written: Values };

/**
 * {@link checkNames} of an access: the uid of each member that has a name stands in the member, and those of roles in `roleUids`, as in
 * state.
 */
export async function checkAccessNames(declaring: Declaring, run: Checking): Promise<CheckedNames> {
  const { inputs, failures } = await checkNames(declaring, run);
  const found = { ...declaring, news: inputs };
  const uidOf = async (asked: AskedName) => {
    const uid = await firstUid(asked, run);
    if (!(uid instanceof Unresolved)) return uid;
    failures.push(...[await rejection(asked, uid, found, run)].filter((each) => each !== undefined));
    return undefined;
  };
  const roleUids = new Map<string, string>();
  for (const text of rolesIn(inputs)) {
    const uid = isAsked(text, declaring) ? await uidOf(roleAsked(text, found)) : roleUidsIn(declaring.olds).get(text);
    if (uid !== undefined) roleUids.set(text, uid);
  }
  const uids = new Map<Named, string>();
  for (const member of namedIn(inputs)) {
    const uid = await uidOf(memberAsked(member, found));
    if (uid !== undefined) uids.set(member, uid);
  }
  const known: Inputs = {
    ...withUids(inputs, uids),
    ...(roleUids.size > 0 && { roleUids: Object.fromEntries([...roleUids].sort()) }),
  };
  if (failures.length === 0 && uids.size > 0) failures.push(...groupAccess.problems(known, known));
  return { inputs: known, failures };
}

/**
 * {@link resolveNames} of an access, and of its members. Roles are resolved where the access is compared with the platform.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`, `INVALID_INPUT`
 */
export async function resolveMembers(declaring: Declaring, run: Referring): Promise<Inputs> {
  const inputs = await resolveNames(declaring, run);
  const groupUid = String(inputs["parentUid"]);
  const uids = new Map<Named, string>();
  try {
    const old = new Set(membersIn(declaring.olds["access"]).map(({ identityUid }) => identityUid));
    for (const { written, identityUid } of membersIn(inputs["access"]))
      if (written !== undefined && !old.has(identityUid))
        rejectOwnLogin(memberReference("identityRef"), identityUid, written["identityRef"], run);
    for (const member of namedIn(inputs)) uids.set(member, await memberAsked(member, { ...declaring, news: inputs }).lookUp(run));
    const known = withUids(inputs, uids);
    const [wrong] = uids.size > 0 ? groupAccess.problems(known, known) : [];
    if (wrong !== undefined) throw new PlatformError("INVALID_INPUT", wrong.reason);
    return known;
  } catch (error) {
    throw withAdvice(withContext(`access of group ${groupText(groupUid)}`, error), "Nothing was changed.");
  }
}

/** True for a role to look up: one that is new, or whose uid check has kept in the inputs. */
function isAsked(text: string, { olds }: Declaring): boolean {
  return text !== unknownValue && (!rolesIn(olds).includes(text) || roleUidsIn(olds).has(text));
}

function roleAsked(text: string, { kind, olds, news, path }: Declaring): AskedName {
  const place = placeIn(news, kind.parentInput);
  return {
    ...{ property: "", to: "role", text, place, owner: owned(path, "role") },
    kept: rolesIn(olds).includes(text) ? roleUidsIn(olds).get(text) : undefined,
    lookUp: ({ names }) => roleWritten(text, place, { names }),
  };
}

/** The members with a name and without a uid. */
function namedIn({ access }: Inputs): Named[] {
  return membersIn(access).filter(
    (member): member is Named =>
      member.written !== undefined && member.identityUid === unknownValue && isNamed(member.written["identityRef"]),
  );
}

function isNamed(reference: unknown): boolean {
  return isGiven(reference) && !isUnknown(reference);
}

function memberAsked({ role, label, written }: Named, { kind, olds, news, path }: Declaring): AskedName {
  const { identityRef } = written;
  const text = JSON.stringify(identityRef, withSortedMembers);
  const property = `access.${role}.${label}`;
  const before = membersIn(olds["access"]).find(
    (other) => JSON.stringify(other.written?.["identityRef"], withSortedMembers) === text,
  );
  const known = { ...news, [property]: identityRef };
  return {
    ...{
      property,
      to: "identity",
      text: identityRef,
      place: placeIn(news, kind.parentInput),
      owner: owned(path, "identityRef"),
    },
    kept: before === undefined || before.identityUid === unknownValue ? undefined : before.identityUid,
    lookUp: (run) => newMeaning(kind, memberReference(property), { olds: {}, known }, run),
  };
}

function memberReference(name: string): DeclaredReference {
  return { is: "reference", to: "identity", uid: "identityUid", name };
}

function owned(path: string | undefined, what: string): string | undefined {
  return path === undefined ? undefined : JSON.stringify(["groupAccess", path, what]);
}

/** `inputs` with the uids of members beside their names. */
function withUids(inputs: Inputs, uids: ReadonlyMap<Named, string>): Inputs {
  if (uids.size === 0) return inputs;
  const access = structuredClone(inputs["access"]) as Record<string, Record<string, unknown>>;
  for (const [{ role, label, written }, identityUid] of uids) {
    const members = access[role];
    if (isValues(members)) Object.assign(members, { [label]: { ...written, identityUid } });
  }
  return { ...inputs, access };
}
