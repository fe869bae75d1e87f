import { platformErrorAs } from "../../client/errors";
import type { Problem } from "../../schema/declaration";
import { unknownValue } from "../../schema/inputs";
import { asDeclared, describe, type Inputs } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { changedReferences, type DeclaredReference, givenIn, isUnknown } from "../../schema/references";
import { isUid, organizationOf } from "../../client/uid";
import { role } from "../../kinds/role";
import { rightIn, rightsBy } from "../../sight/rights";
import type { Names } from "../sharing/names";
import type { Referring } from "./needs";
import { Unresolved } from "./problem";
import { parentFirst, uidOf } from "./resolve";
import { missingParent } from "./missing-parent";
import { roleWritten } from "./role-name";

/**
 * Tells in previews which names `up` would not find. It looks up what the state does not have, by the requests that `up` would send, and
 * reports nothing that it cannot read.
 *
 * A preview does not know what else the update does, or another one before it. So it rejects only what neither can mend and what is
 * almost certainly a slip, warns of the rest, and is silent about names that this run gives to objects.
 */
// See docs/decisions/0047-previews-look-up-new-names.md.
export class NamePreview {
  /** True once the platform did not answer: no other check waits for it. */
  #isAway = false;

  /**
   * @param names undefined: nothing is looked up
   * @param grants lists what these credentials hold: roles by uid, in groups by uid
   */
  constructor(
    private readonly names: Names | undefined,
    private readonly grants: () => Promise<readonly { readonly place: string; readonly role: string }[]>,
  ) {}

  /**
   * What to reject of the checked inputs `news`. Of the rest it warns.
   *
   * @param olds the resource's inputs in state
   * @param roles names or uids of roles in `news` that are no references, and that `olds` do not have
   */
  async failures({ kind, olds, news }: Declaring, roles: readonly string[], run: Referring): Promise<Problem[]> {
    const { names } = this;
    if (names === undefined || run.isUpdate) return [];
    const searching = { names, ledger: run.ledger };
    const given = givenIn(kind.fields, news);
    const known: Inputs = { ...news, ...Object.fromEntries(given.map(({ uid }) => [uid, unknownValue])) };
    const failures: Problem[] = [];
    const report = (property: string, { code, reason }: Unresolved, verdict: Verdict) => {
      if (verdict === "reject") failures.push({ property, reason, code });
      if (verdict !== "warn") return;
      // The reason begins with the reference.
      const { [property]: _, ...others } = news;
      const what = describe(kind, asDeclared(kind, others));
      const [why = "", ...advice] = reason.split("\n");
      const then = `As long as that is so, \`pulumi up\` rejects it with ${code}.`;
      run.notifyOnce([`warning: ${what}: ${why} ${then}`, ...advice].join("\n"));
    };
    const groupUid = () => {
      const place = known[kind.parentInput];
      return typeof place === "string" && !isUnknown(place) ? place : undefined;
    };
    const verdict = async (found: Unresolved, to: DeclaredReference["to"]) => {
      const is = verdictOn(found, to, run);
      return is === "slip" ? ((await this.#seesAllRoles(groupUid(), names)) ? "reject" : "warn") : is;
    };
    const missing = await this.#missingParent({ kind, olds, news }, names, run);
    if (missing !== undefined) report(kind.parentInput, missing, "warn");
    const changed = changedReferences(kind.fields, olds, news);
    for (const reference of parentFirst(kind, given)) {
      const text = news[reference.name];
      // A login always means somebody.
      if (!changed.includes(reference.name) || isUnknown(text) || typeof text !== "string") continue;
      const found = await this.#answer(() => uidOf(kind, reference, known, searching));
      if (found instanceof Unresolved) report(reference.name, found, await verdict(found, reference.to));
      else {
        known[reference.uid] = found ?? unknownValue;
        if (reference.uid === kind.parentInput) run.ownOrganization.warnOfParent(kind, known, run);
      }
    }
    for (const text of roles) {
      const found = await this.#answer(() => roleWritten(text, groupUid(), searching));
      if (found instanceof Unresolved) report("", found, await verdict(found, "role"));
    }
    return failures;
  }

  /** The error about a parent uid that the state does not have, and that these credentials do not see. */
  async #missingParent({ kind, olds, news }: Declaring, names: Names, run: Referring): Promise<Unresolved | undefined> {
    const uid = news[kind.parentInput];
    if (typeof uid !== "string" || !isUid(uid) || isUnknown(uid) || uid === olds[kind.parentInput]) return undefined;
    if (run.ledger.has({ collection: kind.parents }, uid)) return undefined;
    return this.#answer(() => missingParent(kind, uid, names));
  }

  /**
   * True if these credentials provably see every role that may be granted in a group: one of theirs allows it in the root.
   *
   * @param groupUid undefined if it is not known yet: then it may be in any organisation that they see
   */
  async #seesAllRoles(groupUid: string | undefined, names: Names): Promise<boolean> {
    const grants = await this.grants().catch(platformErrorAs(() => []));
    const { all } = await names.matches(role.collection, {}, () => true);
    const rights = rightsBy(grants, all);
    const roots = groupUid === undefined ? grants.map(({ place }) => organizationOf(place)) : [organizationOf(groupUid)];
    return roots.length > 0 && roots.every((root) => rightIn(role, root, rights) === "held");
  }

  /** What the look-up finds; undefined if the platform does not answer, or not to these credentials. */
  async #answer<Found>(lookUp: () => Promise<Found>): Promise<Found | Unresolved | undefined> {
    if (this.#isAway) return undefined;
    return lookUp().catch(
      platformErrorAs((error) => {
        if (error instanceof Unresolved) return error;
        this.#isAway = true;
        return undefined;
      }),
    );
  }
}

/** What a preview does about a name that is not found. */
type Verdict = "reject" | "warn" | "ignore";

/** @param to what the name is of */
function verdictOn({ code, missing }: Unresolved, to: DeclaredReference["to"], { ledger }: Referring): Verdict | "slip" {
  // This program declares the group: a parent must then be given by its uid, and what is below it may be made or found in it.
  if (code === "INVALID_INPUT") return to === "group" && missing === undefined ? "reject" : "ignore";
  if (missing === undefined) return "warn";
  // Where nothing is shown, all may be hidden.
  if (missing.shown.length === 0 || ledger.names.mayHave(missing.of, missing.name)) return "ignore";
  return missing.isSlip ? "slip" : "warn";
}
