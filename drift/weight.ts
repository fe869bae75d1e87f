import { levelOf } from "../access/capabilities";
import { type AccessChange, compare } from "../access/compare";
import { compareLogins, isAnybody, letsOthersIn } from "../access/logins";
import { alarmsOf, type Guarded } from "../access/guarded";
import { type Holder, holder } from "../access/holders";
import { alarmWords } from "../access/prose/guarded-text";
import { GroupTree } from "../access/group-tree";
import { bySeverity, type Severity, severityOf } from "../access/severity";
import type { Snapshot } from "../access/snapshot";
import { grantingKinds, kindNames as names } from "../inventory/kinds";
import type { InventoryObject } from "../inventory/objects";
import { loginIn } from "../inventory/snapshot-of";
import type { Values } from "../provider/schema/values";
import type { Finding } from "./finding";

/** The subject of a finding. */
export interface Subject {
  readonly class: Finding["class"];
  readonly object: InventoryObject;
  /** The declared object, if there is one. */
  readonly declared?: InventoryObject;
  /** True for a role binding whose identity has a changed login, so that others can log in. */
  readonly isTakenOver?: true;
}

/** The severity of findings, by the access that they give or take away. */
export class Weights {
  readonly #changes: ReadonlyMap<string, AccessChange[]>;
  readonly #tree: GroupTree;

  /**
   * @param declared who may do what according to the states
   * @param actual who may do what according to the platform
   * @param guarded identities that must not lose access
   */
  constructor(
    private readonly declared: Snapshot,
    private readonly actual: Snapshot,
    private readonly guarded: Guarded = {},
  ) {
    this.#changes = Map.groupBy(compare(declared, actual, undefined, guarded), ({ through }) => through.uid);
    this.#tree = new GroupTree(actual);
  }

  /** The gains and losses that an object causes, by severity. */
  changes({ object }: Subject): readonly AccessChange[] {
    return object.kind === names.group ? [] : (this.#changes.get(object.uid) ?? []);
  }

  /** The identity as the platform shows it, otherwise as the states have it. */
  holder(uid: string): Holder {
    return holder(this.actual.identities.has(uid) ? this.actual : this.declared, uid);
  }

  /** Why the finding is critical for any access. A guarded identity is gone, or its people can no longer log in. */
  alarm(subject: Subject): string {
    return this.#isGuardedLoss(subject) ? alarmWords(alarmsOf(subject.object.uid, this.guarded)) : "";
  }

  #isGuardedLoss({ class: what, object, declared }: Subject): boolean {
    if (object.kind !== names.identity || alarmsOf(object.uid, this.guarded).length === 0) return false;
    if (what !== "changed" || declared === undefined) return what === "missing";
    return letsOthersIn(compareLogins(loginIn(object.value), loginIn(declared.value)).relation);
  }

  severity(subject: Subject): Severity {
    if (this.#isGuardedLoss(subject)) return "critical";
    if (subject.isTakenOver) return worst(["medium", this.#given(subject.object)]);
    return worst([...this.changes(subject).map(({ severity }) => severity), this.#least(subject)]);
  }

  /** The minimum severity of a finding, regardless of the access that it changes. */
  #least(subject: Subject): Severity {
    const { object } = subject;
    switch (subject.class) {
      case "settled":
        return "info";
      case "unreadable":
        return "high";
      case "missing":
        return isAccess(object) || structural.has(object.kind) ? "medium" : "low";
      case "duplicate":
        // If the declared duplicate is removed, this one stays. It has the same name and may differ in everything else.
        return worst([isAccess(object) ? "medium" : "low", this.#unmanaged(subject)]);
      case "changed":
        return this.#changed(subject);
      case "unmanaged":
        return this.#unmanaged(subject);
    }
  }

  #changed({ object, declared }: Subject): Severity {
    if (object.kind === names.subscription) return subscribed;
    if (object.kind === names.role) return isControl(object.value) && !isControl(declared?.value ?? {}) ? "medium" : "low";
    if (object.kind !== names.identity || declared === undefined) return "low";
    const [was, is] = [loginIn(declared.value), loginIn(object.value)];
    if (!letsOthersIn(compareLogins(was, is).relation)) return "low";
    return isAnybody(is) ? "high" : "medium";
  }

  #unmanaged({ object }: Subject): Severity {
    const { kind, value, place } = object;
    if (kind === names.roleBinding || kind === names.externalGroupRoleMapping) return this.#grant(object);
    if (kind === names.identity) return isAnybody(loginIn(value)) ? "high" : "low";
    // An expired invite cannot be accepted and is not an offer.
    if (kind === names.groupInvite) return this.actual.offers?.some((offer) => offer.uid === object.uid) ? "medium" : "info";
    if (kind === names.subscription) return subscribed;
    if (kind === names.tag) return "info";
    const isDecisive = isAccess(object) || (kind === names.role && place !== undefined && isControl(value));
    return isDecisive ? "medium" : "low";
  }

  /** A grant that other grants cover is less severe, but it remains when they go. */
  #grant(object: InventoryObject): Severity {
    const isCovered = this.#changes.get(object.uid) === undefined;
    const severity = this.#given(object);
    return isCovered && bySeverity(severity, "medium") < 0 ? "medium" : severity;
  }

  /** The severity of a grant that no other grant covers. */
  #given({ value, place = "" }: InventoryObject): Severity {
    const at = typeof value["scope"] === "string" ? value["scope"] : place;
    const role = this.actual.roles.get(String(value["roleUid"]));
    const login = this.actual.identities.get(String(value["identityUid"]))?.login;
    return severityOf({
      effect: "gain",
      level: levelOf(role?.capabilities),
      isRoot: !at.includes("/"),
      reach: this.#tree.within(at).length - 1,
      isAnybody: isAnybody(login),
    });
  }
}

function worst(severities: readonly Severity[]): Severity {
  return [...severities].sort(bySeverity)[0] ?? "info";
}

/** Kinds without which other objects cannot exist where they are. */
const structural: ReadonlySet<string> = new Set([names.group, names.identity, names.identityProvider]);

/** A subscription receives every change of the organisation. */
const subscribed = "medium";

function isAccess({ kind }: InventoryObject): boolean {
  return grantingKinds.has(kind);
}

/** The holder of such a role decides who has access. */
function isControl(role: Values): boolean {
  return levelOf(capabilitiesIn(role)) === "control";
}

function capabilitiesIn({ capabilities }: Values): string[] {
  return Array.isArray(capabilities) ? capabilities.map(String) : [];
}
