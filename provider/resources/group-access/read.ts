import { groupText } from "../../client/known-paths";
import { hasCode, isNotFound, PlatformError, withContext, platformErrorAs } from "../../client/errors";
import { parentOf } from "../../client/uid";
import type { Values } from "../../schema/values";
import { group, places } from "../../kinds/group";
import { groupAccess, keepsOthers, textsOf, roleUidsIn } from "../../kinds/group-access";
import { isHiddenName } from "../../schema/inputs";
import { declaredInputs } from "../../schema/kind";
import { boundIdentity, boundRole, roleBinding } from "../../kinds/role-binding";
import type { ShownBinding } from "../../kinds/shown-binding";
import { roleWritten } from "../naming/role-name";
import type { Found } from "../object/read";
import type { Run } from "../run/run";
import { onceOldEnough } from "../../sight/old-enough";
import { showsControl } from "../../sight/control";
import { type Bound, boundIn, pairOf, slotOf, rolesIn, type RoleUids, shownIn, stateWith } from "./members";
import { announceFound } from "./messages";
import { rolesGone } from "./roles";
import { ManagedScope, withinReach } from "./scope";

/**
 * Reads the access of a group for `GroupAccess.get`: all its role bindings.
 *
 * @throws PlatformError `NOT_FOUND`: the engine would take an empty answer for an object
 */
export async function getAccess(groupUid: string, run: Run): Promise<Found> {
  const found = await refreshAccess(groupUid, {}, run);
  if (found !== undefined) return found;
  throw new PlatformError("NOT_FOUND", `group ${groupUid} not found`);
}

/**
 * Reads the access of a group for a refresh. Members that the state does not know are drift: they are read as if declared, so that the
 * next preview shows their removal. A member in the state counts as gone only if its role binding is provably gone.
 *
 * @returns undefined if the group is provably gone
 * @throws PlatformError `NOT_GONE` if something is merely not visible
 */
export async function refreshAccess(groupUid: string, state: Values, run: Run): Promise<Found | undefined> {
  const roleUids = await rolesOfState(groupUid, state, run);
  const later = await successors(groupUid, state, roleUids, run);
  const scopes = [new ManagedScope(state, roleUids), new ManagedScope(state, new Map([...roleUids, ...later]))];
  const known = boundIn(state);
  const shown = await shownIn(groupUid, run).catch((error: unknown) => {
    throw failed(groupUid, error);
  });
  if (shown.length === 0 && !(await isVisible(groupUid, state, run))) return undefined;
  const byPair = new Map(withinReach(state, known, shown).map((each) => [pairOf(each), each]));
  const members: Bound[] = [];
  for (const member of known) {
    const now = byPair.get(pairOf(member));
    if (now !== undefined)
      members.push({
        ...(now.binding === member.binding ? member : { ...member, ...timedBinding(now) }),
        login: member.login ?? now.login,
      });
    else if (!shown.some(({ binding }) => binding === member.binding) && (await isStillBound(member, run))) members.push(member);
  }
  const knownPairs = new Set(known.map(pairOf));
  const labels = new Labels(groupUid, members, roleUids, run);
  // In a fixed order: of two identities of one name, the same one gets it as its label each time.
  const inOrder = [...byPair.values()].sort((one, other) => (one.binding < other.binding ? -1 : 1));
  const others = inOrder.filter((other) => !knownPairs.has(pairOf(other)));
  // Beside others, these are changed bindings of the state. Without them here, no state would own the bindings.
  const found = others.filter((other) => keepsOthers(state) || scopes.some((scope) => scope.covers(other)));
  for (const each of found) members.push(await labels.name(each));
  // A `get` has no state to differ from.
  if (Object.keys(state).length > 0) announceFound(groupUid, found, state, run);
  const props = {
    ...stateWith({ ...state, parentUid: groupUid }, members, labels.roleUids),
    // Roles without members keep their uid too, so that a repair does not resolve their names again.
    roleUids: Object.fromEntries([...labels.roleUids].sort()),
  };
  return { id: groupUid, props, inputs: { ...declaredInputs(groupAccess, props), roleUids: props.roleUids } };
}

/** The roles that the state knows or only names, as after an import, or in a state of another release. */
async function rolesOfState(groupUid: string, state: Values, run: Run): Promise<Map<string, string>> {
  const roleUids = roleUidsIn(state);
  for (const role of rolesIn(state).filter((each) => !roleUids.has(each)))
    roleUids.set(role, await roleWritten(role, groupUid, run));
  return roleUids;
}

/**
 * Same-named successors of managed roles that are gone. Their members are read as drift only: no one gets a role because of its name.
 */
async function successors(groupUid: string, state: Values, roleUids: RoleUids, run: Run): Promise<Map<string, string>> {
  const gone = await rolesGone(textsOf(state["roles"]), roleUids, run).catch((error: unknown) => {
    throw failed(groupUid, error);
  });
  const found = [...gone.keys()].map(async (text): Promise<[string, string][]> => {
    const uid = await roleWritten(text, groupUid, run).catch((error: unknown) => {
      // No successor, no members.
      if (hasCode(error, "NOT_FOUND", "AMBIGUOUS")) return undefined;
      throw failed(groupUid, error);
    });
    return uid === undefined ? [] : [[text, uid]];
  });
  return new Map((await Promise.all(found)).flat());
}

/** True if the member's role binding, which the List does not show, still gives it the role. @throws PlatformError `NOT_GONE` */
async function isStillBound(member: Bound, run: Run): Promise<boolean> {
  try {
    const wire = await onceOldEnough(member, run.client, () => run.client.get(roleBinding.collection, member.binding));
    return pairOf({ identityUid: boundIdentity(wire), roleUid: boundRole(wire) }) === pairOf(member);
  } catch (error) {
    if (!isNotFound(error)) throw failed(parentOf(member.binding) ?? "", error);
    await run.proof.confirmGone({ kind: roleBinding, uid: member.binding, state: {} });
    return false;
  }
}

/**
 * Whether the group exists, if its List of role bindings is empty: that may mean that no one has access here, that the group is gone,
 * or that these credentials see no role binding.
 *
 * @throws PlatformError `NOT_GONE` in the last case
 */
async function isVisible(groupUid: string, state: Values, run: Run): Promise<boolean> {
  try {
    // The group is at least as old as its newest binding.
    const noNewer = { createTime: state["newestCreateTime"] };
    await onceOldEnough(noNewer, run.client, () => run.client.get(places, groupUid));
  } catch (error) {
    if (isNotFound(error)) {
      await run.proof.confirmGone({ kind: group, uid: groupUid, state: {} });
      return false;
    }
    if (!hasCode(error, "PERMISSION_DENIED")) throw failed(groupUid, error);
  }
  await confirmSight(groupUid, run);
  return true;
}

/**
 * Confirms that the group has no role bindings, after an empty List of them.
 *
 * @throws PlatformError `NOT_GONE`
 */
export async function confirmSight(groupUid: string, run: Run): Promise<void> {
  if (run.ledger.created.has(places, groupUid) || (await showsControl(roleBinding, groupUid, run.client))) return;
  throw new PlatformError(
    "NOT_GONE",
    `read access of group ${groupText(groupUid)}: no List shows these credentials any role binding there or above, which does not prove that ` +
      "there is none. Use an identity that has a role there or above, by a role binding that it can see.",
  );
}

function timedBinding({ binding, createTime }: ShownBinding): Pick<Bound, "binding" | "createTime"> {
  return { binding, createTime };
}

function failed(groupUid: string, error: unknown): PlatformError {
  return withContext(`read access of group ${groupText(groupUid)}`, error);
}

/** Names members that the program does not declare, as people would. */
class Labels {
  readonly roleUids: Map<string, string>;
  readonly #used: Set<string>;

  constructor(
    private readonly groupUid: string,
    members: readonly Bound[],
    roleUids: ReadonlyMap<string, string>,
    private readonly run: Run,
  ) {
    this.roleUids = new Map(roleUids);
    this.#used = new Set(members.map(slotOf));
  }

  async name(shown: ShownBinding): Promise<Bound> {
    const { identityUid, roleUid, identityName } = shown;
    const role = await this.#role(shown);
    this.roleUids.set(role, roleUid);
    const named = isHiddenName(identityName) ? `identity ${identityName}` : identityName;
    const labels = named === "" ? [identityUid] : [named, `${named} (${identityUid})`];
    const free = labels.find((label) => !this.#used.has(slotOf({ role, label }))) ?? `${identityUid} (${shown.binding})`;
    this.#used.add(slotOf({ role, label: free }));
    return { role, label: free, identityUid, roleUid, login: shown.login, ...timedBinding(shown) };
  }

  /** The text that the state has for the role; else its name if it means this role; else its uid. */
  async #role({ roleUid: uid, roleName }: ShownBinding): Promise<string> {
    const written = [...this.roleUids].find(([, each]) => each === uid);
    if (written !== undefined) return written[0];
    if (roleName === "" || isHiddenName(roleName) || this.roleUids.has(roleName)) return uid;
    const meant = await roleWritten(roleName, this.groupUid, this.run).catch(platformErrorAs(() => undefined));
    return meant === uid ? roleName : uid;
  }
}
