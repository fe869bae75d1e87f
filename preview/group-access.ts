import { isDeepStrictEqual } from "node:util";
import { kindNames } from "../inventory/kinds";
import type { InventoryObject } from "../inventory/objects";
import { entriesOf, keepsOthers, membersIn, memberUid, roleUidsIn } from "../provider/kinds/group-access";
import { bindingInputs, type Bound, boundIn, pairOf, rolesIn, slotOf } from "../provider/resources/group-access/members";
import { ManagedScope } from "../provider/resources/group-access/scope";
import { unknownValue } from "../provider/schema/inputs";
import { isGiven } from "../provider/schema/references";
import { isValues, type Values } from "../provider/schema/values";
import { type Actual, type Effect, Findings, type Open, releaseOf } from "./effect";
import { undeclaredMembers } from "./half-done";
import { nameOf, type Planned } from "./plan";
import { anyOf, openReason, takenReason, unnamedReason } from "./open";
import { isNew, movingReason, type References } from "./references";
import { holds, isHidden, isShown } from "./seen";

/** The access by a `GroupAccess` before and after an update, as role bindings. */
export function accessEffect(planned: Planned, references: References, actual: Actual): Effect {
  const { op, before: was } = planned;
  const { parentUid } = was.outputs;
  const placeWas = typeof parentUid === "string" ? parentUid : was.id;
  const foreign: Bound[] = [];
  const before = boundIn(was.outputs).flatMap((member) => {
    const { uid, value } = bindingOf(placeWas, member);
    const found = actual.shown.get(kindNames.roleBinding, uid);
    // The label belongs to the member that the program declares, not to another one found in its place.
    if (found !== undefined && !isDeepStrictEqual(found.value, bindingInputs(placeWas, member))) {
      foreign.push(member);
      return [found];
    }
    return found === undefined && actual.isGone(kindNames.roleBinding, uid)
      ? []
      : [{ kind: kindNames.roleBinding, uid, place: placeWas, value }];
  });
  const [left, hidden] = [undeclaredMembers(planned), hiddenBefore(planned)];
  if (op === "delete") return { before, after: [], open: hidden, warnings: [left] };
  if (op === "keep" || op === "release") {
    const { open, warnings } = releaseOf(planned, references);
    return { before, after: before, open: [...hidden, ...open], warnings: [left, ...warnings] };
  }
  const findings = new Findings(references);
  const place = findings.keyOf(`the place of ${nameOf(planned.urn)}`, planned, "parentUid") ?? "";
  const members = new Members(planned, place, references, findings);
  const after = members.after();
  // From keep to remove, an update fails while others have access, or keeps it with `adopt`.
  const mayGo = op === "change" && !keepsOthers(was.outputs) ? members.unseen(after, actual.unmanaged) : [];
  return {
    before,
    after: after.map((member) => bindingOf(place, member)),
    mayGo,
    standIns: findings.standIns,
    open: [...findings.open, ...hidden, ...(op === "change" ? changedMeanwhile(planned, foreign) : [])],
    warnings: [left],
  };
}

/** Access that a secret in the state hides, which the update may take away. */
function hiddenBefore({ urn, op, before }: Planned): Open[] {
  const { access, bindings, roleUids } = before.outputs;
  if (!isHidden([access, bindings, roleUids])) return [];
  const reason = "it is a secret in the state, so the preview does not show whose access ends. Apply it as a plain value first";
  return [{ what: `who had access by ${nameOf(urn)}`, reason, is: op === "keep" || op === "release" ? "unknown" : "undecided" }];
}

/** Members whose role binding somebody else has changed. No preview shows whether the update stops, removes such a binding or leaves it. */
function changedMeanwhile({ urn }: Planned, members: readonly Bound[]): Open[] {
  return members.map(({ role, label }) => ({
    what: `the role binding of ${label} (${role}) by ${nameOf(urn)}`,
    reason: "somebody else has changed its identity or role since the last update. Preview with --refresh",
    is: "undecided",
  }));
}

function bindingOf(place: string, member: Bound): InventoryObject {
  const { binding: uid, label } = member;
  return { kind: kindNames.roleBinding, uid, place, value: { ...bindingInputs(place, member), label } };
}

/** The members of a `GroupAccess` after an update. */
class Members {
  /** The members before an update in place. */
  readonly #had: readonly Bound[];
  readonly #inputs: Values;
  readonly #roleUids: ReadonlyMap<string, string>;

  constructor(
    private readonly planned: Planned,
    private readonly place: string,
    private readonly references: References,
    private readonly findings: Findings,
  ) {
    const { op, before, after } = planned;
    // A replacement resolves every name anew.
    const state = op === "change" ? before.outputs : {};
    this.#had = boundIn(state);
    this.#inputs = after.inputs;
    const texts = rolesIn(this.#inputs).map((text) => [text, this.#roleUid(text)] as const);
    this.#roleUids = new Map([...roleUidsIn(state), ...texts]);
  }

  /** The members that the program declares, and those exempt from removal. */
  after(): Bound[] {
    const { access, exempt, others } = this.#inputs;
    if (isHidden(others)) this.#miss(`whether ${nameOf(this.planned.urn)} removes the access of others`);
    if (isHidden(exempt)) this.#miss(`who is exempt by ${nameOf(this.planned.urn)}`);
    if (typeof access === "string") this.#miss(`the access of ${nameOf(this.planned.urn)}`);
    const declared =
      typeof access === "string" ? this.#had : entriesOf(access).flatMap(([role, members]) => this.#of(role, members));
    const stay = new Set(declared.map(({ binding }) => binding));
    const scope = new ManagedScope(this.#inputs, this.#roleUids);
    return [...declared, ...this.#had.filter((member) => !stay.has(member.binding) && scope.isExempt(member))];
  }

  /** Access that others gave since the state was written. An update removes it unless `adopt` is set, which no preview shows. */
  unseen(after: readonly Bound[], unmanaged: readonly InventoryObject[]): InventoryObject[] {
    const scope = new ManagedScope(this.#inputs, this.#roleUids);
    const known = new Set([...this.#had.map(({ binding }) => binding), ...after.map(pairOf)]);
    const found = unmanaged.filter(({ kind, uid, place, value: { identityUid, roleUid } }) => {
      const binding = { binding: uid, identityUid: String(identityUid), roleUid: String(roleUid) };
      const isUnseen = !known.has(uid) && !known.has(pairOf(binding)) && scope.covers(binding);
      return kind === kindNames.roleBinding && place === this.place && isUnseen;
    });
    const what = `whether ${nameOf(this.planned.urn)} removes what others gave since the last refresh`;
    if (found.length > 0)
      this.findings.open.push({ what, reason: "without `adopt`, it does or fails. Preview with --refresh", is: "unknown" });
    return found;
  }

  #of(role: string, members: unknown): readonly Bound[] {
    const { planned, place, references } = this;
    const what = `who is ${role} by ${nameOf(planned.urn)}`;
    if (typeof members === "string") {
      this.#miss(what);
      return this.#had.filter((member) => member.role === role);
    }
    const entries = entriesOf(members).map(([label, written]) => ({
      label,
      uid: memberUid(written),
      why: this.#whyOpen(written),
    }));
    const shown = entries.map(({ label, uid, why }): [string, string] => [label, why === undefined ? uid : unknownValue]);
    const why = entries.flatMap((each) => each.why ?? [])[0];
    const uids = new Map([...shown.filter(([, value]) => isShown(value)), ...this.#pending(what, shown, why)]);
    const roleUid = this.#roleUids.get(role) ?? role;
    return [...uids].map(([label, identityUid]): Bound => {
      const known = this.#had.find((member) => pairOf(member) === pairOf({ roleUid, identityUid }));
      const binding = known?.binding ?? references.newKey(place, `${planned.urn} ${slotOf({ role, label })}`);
      return { role, label, identityUid, roleUid, binding };
    });
  }

  /** Why the name of a member means no certain identity; undefined for a member without a name. */
  #whyOpen(written: unknown): string | undefined {
    const { planned, references } = this;
    const [name, uid] = [isValues(written) ? written["identityRef"] : undefined, memberUid(written)];
    if (!isGiven(name)) return undefined;
    if (!isShown(uid)) return unnamedReason;
    const known = membersIn(planned.before.inputs["access"]).map((member) => member.written?.["identityRef"]);
    return references.isMoving(planned, uid, name, known) ? movingReason : undefined;
  }

  /**
   * The identities of the members whose uids are known only after the update. Labels identify nobody.
   *
   * @param why one of them has a name that may mean any identity; undefined if none has
   */
  #pending(what: string, shown: readonly [label: string, value: string][], why?: string): [label: string, key: string][] {
    const { planned, references, findings } = this;
    const labels = shown.flatMap(([label, value]) => (!isShown(value) ? [label] : []));
    if (labels.length === 0) return [];
    const known = new Set(shown.map(([, value]) => value));
    const { all, hasOthers } = references.dependencies(planned, "access", kindNames.identity);
    const rest = all.filter((each) => !known.has(references.keyAfter(each)));
    // No identity has a role twice in one access, so if the numbers of members and identities are equal, each identity is a member.
    const isUnknown = why === undefined && !holds([...known], "secret") && rest.every(isNew) && !hasOthers;
    if (isUnknown && labels.length === rest.length) {
      findings.open.push({ what, reason: takenReason(rest), is: "assumed" });
      return rest.map((each, index) => [labels[index] ?? "", references.keyAfter(each)]);
    }
    const { open: reason, standIn } = anyOf(kindNames.identity, planned, why ?? openReason(rest));
    const about = labels.map((label) => {
      const value = { ...standIn.value, name: `${label} (${what}, not known)` };
      return findings.standIn(planned, `${what} ${label}`, { ...standIn, value });
    });
    findings.open.push({ what, reason, is: "undecided", about });
    return labels.map((label, index) => [label, about[index] ?? ""]);
  }

  #roleUid(text: string): string {
    const { planned, references, findings } = this;
    const what = `the role ${text} of ${nameOf(planned.urn)}`;
    return findings.keyFor(what, planned, `role ${text}`, references.roleWritten(planned, text));
  }

  #miss(what: string): void {
    this.findings.open.push({ what, reason: "the preview does not show it. Pass it as a plain value", is: "undecided" });
  }
}
