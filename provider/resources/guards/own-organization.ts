import { PlatformError } from "../../client/errors";
import { options } from "../../client/printable";
import { isUid, organizationOf, parentOf } from "../../client/uid";
import { group } from "../../kinds/group";
import { unknownValue } from "../../schema/inputs";
import { asDeclared, describe, describeExisting, type Inputs, isKind, type Kind } from "../../schema/kind";
import type { Problem } from "../../schema/declaration";
import type { Declaring, Stated } from "../../schema/operation";
import type { Mode } from "../ledger/mode";
import { type Change, textOf } from "./change";

/** Where an object is. */
interface Place {
  readonly kind: Pick<Kind, "collection" | "parentInput" | "parents">;
  readonly uid?: string | undefined;
  /** Its state or its inputs. */
  readonly values: Inputs;
}

/**
 * True if the object is, or would be, in another organisation than `organization`: that of its uid, or of its parent. Built-in roles and
 * people are in none. A value that is not known yet passes.
 *
 * @param organization uid of a group of that organisation; undefined: every organisation is the right one
 */
export function isElsewhere({ kind, uid, values }: Place, organization: string | undefined): boolean {
  if (organization === undefined) return false;
  const parent = values[kind.parentInput];
  // Without a parent, only the uid of a group names an organisation.
  const own = uid !== undefined && (isKind(kind, group) || parentOf(uid) !== undefined) ? [uid] : [];
  return [...own, parent].some(
    (each) =>
      typeof each === "string" && each !== unknownValue && isUid(each) && organizationOf(each) !== organizationOf(organization),
  );
}

/**
 * Keeps a run in the organisation that is configured. A wrong setting, or a wrong parent, would replace objects and make others in another
 * organisation. Previews warn, and an update changes nothing.
 */
// See docs/decisions/0053-a-run-keeps-to-its-organisation.md.
export class OwnOrganization {
  /** The first object of the state that is elsewhere. From then on the setting is in doubt, and nothing is changed. */
  #found: string | undefined;
  #hasWarned = { ofState: false, ofParents: false };

  /** @param organization uid of a group of it; undefined if none is configured, or if the run may change others */
  constructor(private readonly organization: string | undefined) {}

  /**
   * Problems of a checked resource. A preview only warns of them, once for the state and once for new parents.
   *
   * @param run An update may look like a preview. Then the change itself is rejected
   */
  problemsOf({ kind, olds, news }: Declaring, run: Telling): Problem[] {
    this.#see({ kind, values: olds }, () => describe(kind, asDeclared(kind, olds)));
    const parent = news[kind.parentInput] === olds[kind.parentInput] ? undefined : this.#wrongParent(kind, news);
    const why = parent ?? this.#inState();
    if (why === undefined) return [];
    if (run.mode === "update") return [{ property: kind.parentInput, reason: `${why}.${ways}`, code: "INVALID_INPUT" }];
    if (parent !== undefined) this.#warnOfParent(kind, news, run);
    this.#warnOfState(run);
    return [];
  }

  /**
   * Sees an object of the state. A preview warns of it.
   *
   * @throws PlatformError `INVALID_INPUT` in an update, if it is elsewhere
   */
  compared({ kind, uid, state }: Stated, run: Telling): void {
    this.#see({ kind, uid, values: state }, () => describeExisting(kind, uid, state));
    if (!isElsewhere({ kind, uid, values: state }, this.organization)) return;
    const error = this.errorOf({ is: "update", kind, uid, state, wanted: {}, differing: [] });
    if (run.mode === "update" && error !== undefined) throw error;
    this.#warnOfState(run);
  }

  /** The error of a change that is made elsewhere, or while the setting is in doubt; undefined if it may be made. */
  errorOf(change: Change): PlatformError | undefined {
    const { kind } = change;
    const why = change.is === "create" ? this.#wrongParent(kind, change.wanted) : this.#wrongPlace(kind, change);
    const reason = why ?? this.#inState();
    if (reason === undefined) return undefined;
    return new PlatformError("INVALID_INPUT", `${textOf(change)}: ${reason}. Nothing was sent.${ways}`);
  }

  /** Why the parent in `inputs`, found by its path, is rejected; undefined if it is not. */
  rejectionOf(kind: Kind, inputs: Inputs): string | undefined {
    const why = this.#wrongParent(kind, inputs);
    return why && `${why}.${ways}`;
  }

  #warnOfParent(kind: Kind, inputs: Inputs, run: Telling): void {
    const why = this.#wrongParent(kind, inputs);
    if (why === undefined || this.#hasWarned.ofParents) return;
    this.#hasWarned.ofParents = true;
    warn(`${describe(kind, asDeclared(kind, inputs))}: ${why}`, "it", run);
  }

  #wrongParent(kind: Kind, inputs: Inputs): string | undefined {
    if (!isElsewhere({ kind, values: inputs }, this.organization)) return undefined;
    return `its parent ${String(inputs[kind.parentInput])} is not in the organisation ${this.#configured}`;
  }

  #wrongPlace(kind: Kind, { uid, state }: Pick<Stated, "uid" | "state">): string | undefined {
    return isElsewhere({ kind, uid, values: state }, this.organization)
      ? `it is not in the organisation ${this.#configured}`
      : undefined;
  }

  #see(place: Place, label: () => string): void {
    if (this.#found === undefined && isElsewhere(place, this.organization)) this.#found = label();
  }

  #inState(): string | undefined {
    return this.#found && `the state has ${this.#found}, which is not in the organisation ${this.#configured}`;
  }

  #warnOfState(run: Telling): void {
    const why = this.#inState();
    if (why === undefined || this.#hasWarned.ofState) return;
    this.#hasWarned.ofState = true;
    warn(why, "every change", run);
  }

  get #configured(): string {
    return `${organizationOf(this.organization ?? "")} that is configured`;
  }
}

const ways = options([
  "If the setting is wrong, correct `platform:organization` (PLATFORM_ORGANIZATION). If a parent is wrong, correct that.",
  "If the program manages several organisations, give the resources of each other one a `Provider` with its `organization`.",
  "To move to another organisation, set PLATFORM_ALLOW_OTHER_ORGANIZATION=true for one run. What that replaces, it deletes.",
]);

function warn(why: string, what: string, run: Telling): void {
  run.notify(`warning: ${why}. As long as that is so, \`pulumi up\` rejects ${what} with INVALID_INPUT.${ways}`);
}

/** The part of a run by which {@link OwnOrganization} tells the user. */
interface Telling {
  readonly mode: Mode;
  readonly notify: (message: string) => void;
}
