import type { AccessChange } from "../access/compare";
import { personInWords } from "../access/prose/person";
import { plainMarkup, sentenceOf } from "../access/prose/sentence";
import { nameInWords } from "../access/values";
import { kindNamed, kindNames as names } from "../inventory/kinds";
import type { DeclaredObject, InventoryObject } from "../inventory/objects";
import type { StateObjects } from "../inventory/state";
import { list, literal, printable, shortList } from "../provider/client/printable";
import { isAtOrBelow } from "../provider/client/uid";
import { hiddenValue } from "./fields";
import type { Finding } from "./finding";
import type { Paths } from "./paths";
import type { Subject, Weights } from "./weight";

/** A difference between states and the platform, before it is weighed. */
export interface Difference extends Subject {
  /** The resource that manages the object. For an unmanaged object, the resource whose place it takes. */
  readonly owner?: DeclaredObject;
  readonly fields?: Finding["fields"];
  /** For a duplicate, the other resource or object. For an unmanaged object, the missing object whose place it takes. */
  readonly other?: string;
  readonly state?: ObjectState;
  /** Fields that cannot be compared because the state has encrypted them. */
  readonly encrypted?: readonly string[];
  /** Why the object itself could not be read. */
  readonly reason?: string;
}

/**
 * How the resource of a finding relates to its object. It only reads the object, or has replaced it by another. Absent if it manages the
 * object.
 */
export type ObjectState = "read" | "replaced";

/** Maximum number of gains and losses in a message. */
const mostChanges = 3;

/** Maximum number of groups in a message. */
const mostPlaces = 3;

const unwatchedText =
  "Managed role bindings name it, but cannot show later changes of its login. Declare it, or read it with `Identity.get`.";

/** Findings in words. First the access that changes, then the object and its problem. */
export class Messages {
  constructor(
    private readonly paths: Paths,
    private readonly states: StateObjects,
    private readonly weights: Weights,
  ) {}

  /**
   * @param places uids of the groups in which somebody has access through the object
   * @param isUnwatched see `unwatched` of a finding
   */
  of(finding: Difference, places: readonly string[] = [], isUnwatched = false): string {
    const changes = finding.class === "duplicate" ? [] : this.weights.changes(finding);
    const words = changes.slice(0, mostChanges).map((change) => changeInWords(change, finding.class));
    const more = changes.length - mostChanges;
    const rest = more > 0 ? [`${more} more gain or lose access.`] : [];
    const elsewhere = places.filter((place) => !isAtOrBelow(place, finding.object.place ?? ""));
    const lies =
      elsewhere.length === 0
        ? []
        : [
            `Access depends on it in ${shortList(
              elsewhere.map((place) => this.#path(place)),
              mostPlaces,
            )}.`,
          ];
    return [...words, ...rest, this.#what(finding), ...lies, ...(isUnwatched ? [unwatchedText] : [])].join(" ");
  }

  #what(difference: Difference): string {
    const { class: what, object, owner, state, fields = [], other = "", encrypted = [], reason } = difference;
    const alarm = this.weights.alarm(difference);
    const label = this.#label(object, owner);
    const changes = fields.map((field) => this.#fieldInWords(object.kind, field)).join("; ");
    const urn = owner?.urn ?? "";
    const left = this.states.left.get(object.uid);
    switch (what) {
      case "changed":
        if (difference.isTakenOver)
          return `The identity of ${label.charAt(0).toLowerCase()}${label.slice(1)} logs in otherwise than when ${urn} first named it${loginInWords(fields)}. No state here manages the identity.`;
        return state === "read"
          ? `${label} was changed since ${urn} read it: ${changes}${alarm}. No state here manages it.`
          : `${label} was changed: ${changes}${alarm}.`;
      case "missing":
        return `${label} no longer exists${alarm}.${state === "read" ? ` ${urn} reads it, and fails at the next update.` : ""}`;
      case "settled":
        return `${label} has served its purpose, because it expired or was accepted.`;
      case "duplicate":
        return owner === undefined
          ? `${label} is in no state and duplicates ${other}, which is managed. If that one is removed, this one stays.`
          : urn === other
            ? `${label} is in two different exports of its stack. Pass only the newer one.`
            : state === "replaced"
              ? `${label} is managed by ${other}, and ${urn} deletes it in its next update, because an earlier one ended before that.`
              : `${label} is managed twice, by ${urn} and by ${other}. Each undoes the changes of the other.`;
      case "unmanaged":
        if (state === "replaced")
          return `${label} was replaced by ${urn} and still exists, because an update ended before its deletion. \`pulumi up\` deletes it.`;
        if (left !== undefined)
          return `${label} is no longer declared by ${left}, but the update that should remove it failed half-way. Run \`pulumi up --refresh --run-program\`.`;
        return other === ""
          ? `${label} is in no state.${this.#repair(object)}`
          : `${label} is in no state. ${other}, declared by ${urn}, is gone and this object has its natural key. Remove this one, or adopt it.`;
      case "unreadable":
        if (reason !== undefined) return `Cannot tell: ${label} was not compared: ${reason}.`;
        return (
          `Cannot tell: ${list(encrypted)} of ${label} decides access and is encrypted in the state, so it was not compared. ` +
          "Pass --state-file with the output of `pulumi stack export --show-secrets`."
        );
    }
  }

  /** A `GroupAccess` removes undeclared bindings of the roles that it manages. */
  #repair(object: InventoryObject): string {
    const urn = object.kind === names.roleBinding ? this.states.removerOf(object) : undefined;
    return urn === undefined
      ? ""
      : ` ${urn} declares the access of this group, and removes bindings that it neither declares nor exempts.`;
  }

  #fieldInWords(kind: string, { path, declared, actual }: NonNullable<Finding["fields"]>[number]): string {
    const shape = kindNamed(kind).fields[path]?.shape;
    const show = (value: unknown) => {
      if (value === undefined) return "nothing";
      if (shape?.is !== "uid" || typeof value !== "string" || value === hiddenValue) return literal(value);
      return shape.of === kindNamed(names.identity).collection.noun ? this.#holder(value) : this.#path(value);
    };
    return `${path} is ${show(actual)}, declared ${show(declared)}`;
  }

  #path(uid: string): string {
    return nameInWords(printable(this.paths.of(uid) ?? uid));
  }

  /** @param label the name that a `GroupAccess` gives the holder */
  #holder(uid: string, label?: string): string {
    const person = personInWords(this.weights.holder(uid), label);
    return person === undefined ? this.#path(uid) : printable(person);
  }

  /** `Identity acme/shop/ci`, `Role binding of acme/shop/ci as viewer in acme/shop`. */
  #label(object: InventoryObject, owner?: DeclaredObject): string {
    const { kind, uid, place, value } = object;
    const { noun } = kindNamed(kind).collection;
    const path = (each: unknown) => this.#path(String(each));
    const start = noun.charAt(0).toUpperCase() + noun.slice(1);
    if (kind === names.roleBinding) {
      const uid = String(value["identityUid"]);
      const who = this.#holder(uid, owner?.value["identityUid"] === uid ? owner.label : undefined);
      return `${start} of ${who} as ${path(value["roleUid"])} in ${path(place)}`;
    }
    if (kind === names.externalGroupRoleMapping)
      return `${start} of ${literal(value["externalGroupId"])} to ${path(value["roleUid"])} in ${path(value["scope"])}`;
    if (kind === names.groupInvite) return `${start} to ${path(place)} as ${path(value["roleUid"])}`;
    if (typeof value["name"] !== "string" || uid === place) return `${start} in ${path(place)}`;
    const around = place === undefined ? "" : `${this.paths.of(place) ?? place}/`;
    return `${start} ${nameInWords(printable(this.paths.of(uid) ?? `${around}${value["name"]}`))}`;
  }
}

/** `: claimMatch.subject is now "x"`. */
function loginInWords(fields: NonNullable<Finding["fields"]>): string {
  const now = fields.flatMap(({ path, actual }) => {
    const [of, ...rest] = path.split(".");
    return of === "identity" ? [`${rest.join(".")} is now ${actual === hiddenValue ? hiddenValue : literal(actual)}`] : [];
  });
  return now.length === 0 ? "" : `: ${now.join("; ")}`;
}

/**
 * A gain or loss of access as a sentence: `acme/ci (GitHub acme/shop, branch main) is now owner of acme and 14 groups below.` No state tells
 * since when an unmanaged object gives access, so its sentence has no "now".
 */
function changeInWords(change: AccessChange, what: Finding["class"]): string {
  const { effect, coveredBy } = change;
  const covered =
    coveredBy === undefined ? "" : `, which ${effect === "gain" ? "it had" : "it keeps"} by ${nameInWords(printable(coveredBy))}`;
  return `${sentenceOf(change, plainMarkup, { when: what === "unmanaged" ? "ever" : "now" })}${covered}.`.replaceAll("\n", "\\n");
}
