import { PlatformError } from "../../client/errors";
import { list, options } from "../../client/printable";
import { describe, differing, type Kind, type Observed, show } from "../../schema/kind";
import type { Creation } from "./creation";
import type { Replacement } from "../ledger/declarations";
import type { Run } from "../run/run";
import { inTwoUpdates } from "../checking/moving-keys";
import { isSince } from "../ledger/notes";

/** True for objects that a create made, judged by uid and creation time (milliseconds since 1970). */
export type CreateEvidence = (uid: string, createTime: number) => boolean;

/** Evidence of a create first sent at `serverTime`, by the platform's clock. If that is unknown, it proves nothing. */
export function sentAt(serverTime: number | undefined): CreateEvidence {
  return (_uid, createTime) => serverTime !== undefined && isSince(createTime, serverTime);
}

/**
 * The one of `holders` that a create of this resource provably made: the only one, equal in every field, in no other resource of
 * this program, and confirmed by the evidence of what was sent.
 */
export function ownOf(
  { kind, inputs, run }: Creation,
  holders: readonly Observed[],
  { evidence }: { readonly evidence: readonly CreateEvidence[] },
): Observed | undefined {
  const [only] = holders;
  if (only === undefined || holders.length > 1 || run.ledger.has(kind, only.uid)) return undefined;
  return isMadeBy(only, evidence) && differing(kind, only, inputs).length === 0 ? only : undefined;
}

/** True if some `evidence` shows that a create of this resource made the object. */
export function isMadeBy({ uid, outputs }: Observed, evidence: readonly CreateEvidence[]): boolean {
  const createTime = Date.parse(String(outputs["createTime"]));
  return evidence.some((made) => made(uid, createTime));
}

/**
 * The `holders` that a create of a kind without a natural key may have made. Equal objects do not conflict, so others may be older
 * or belong to other resources of this program.
 */
export function madeHere(kind: Kind, run: Run, holders: readonly Observed[], evidence: readonly CreateEvidence[]): Observed[] {
  return holders.filter((holder) => isMadeBy(holder, evidence) && !run.ledger.created.has(kind.collection, holder.uid));
}

/**
 * The one of `holders` that the resource adopts.
 *
 * @throws PlatformError `AMBIGUOUS`, `KEY_TAKEN`: why it cannot be adopted
 */
export function adopted(creation: Creation, holders: readonly Observed[]): Observed {
  const { kind, inputs, run } = creation;
  const what = `adopt ${describe(kind, inputs)}`;
  const uids = uidsOf(holders);
  const [holder] = holders;
  if (holder === undefined || holders.length > 1)
    throw new PlatformError("AMBIGUOUS", `${what}: several exist: ${uids}. Nothing was changed.\nDelete or rename all but one.`);
  if (run.ledger.has(kind, holder.uid)) {
    const why = `${uids} belongs to another resource of this program. Nothing was changed.\n${otherHolder(creation, holders)}`;
    throw new PlatformError("KEY_TAKEN", `${what}: ${why}`);
  }
  // Only the platform's values: declared ones may be secrets, which the engine passes in plain text.
  const differences = differing(kind, holder, inputs, {}).map((name) =>
    kind.secrets.includes(name) ? `the platform has another ${name}` : `the platform has ${name} ${show(holder.inputs[name])}`,
  );
  if (differences.length > 0) {
    const why = `${uids} differs from the declaration: ${differences.join("; ")}.`;
    throw new PlatformError("KEY_TAKEN", `${what}: ${why} Nothing was changed.\nMake the two equal, then run again.`);
  }
  return holder;
}

/** `create group "x" under P: already exists as U`, with the options that may help. */
export function keyTaken(creation: Creation, holders: readonly Observed[]): PlatformError {
  const { kind, inputs, key, run } = creation;
  const isOther = holders.some(({ uid }) => run.ledger.has(kind, uid));
  const how =
    isOther || run.ledger.declarations.givenUpBy(key) !== undefined
      ? `\n${otherHolder(creation, holders)}`
      : key !== undefined && run.ledger.declarations.isMember(key)
        ? `\n${ofMember}`
        : optionsFor(key === undefined ? undefined : run.ledger.declarations.replacement(key));
  const message = `create ${describe(kind, inputs)}: it already exists, as ${uidsOf(holders)}. Nothing was created.${how}`;
  return new PlatformError("KEY_TAKEN", message);
}

/** The way out for a member of a `GroupAccess`, which has no name and no `aliases` of its own. */
const ofMember =
  "If a RoleBinding of this stack gave this role so far, the engine is replacing this resource, or nothing manages the binding: set " +
  "`adopt: true` on this resource (or PLATFORM_ADOPT=true for one run). Otherwise something else manages it: remove the member.";

/** The ways out if no resource of the program owns the object. */
function optionsFor(replacement: Replacement | undefined): string {
  const adopt = "set `adopt: true` (or PLATFORM_ADOPT=true for one run, unless config sets platform:adopt).";
  const others = ["If this stack already manages it under another logical name, set `aliases`.", "Choose another name."];
  const unmanaged = `If nothing else manages it, ${adopt}`;
  const first = "set `deleteBeforeReplace: true`, so that the engine deletes the old object first.";
  switch (replacement) {
    case "in place":
      return options([
        `The engine is replacing this resource, so this is probably its own old object: ${first}`,
        ...others,
        unmanaged,
      ]);
    case "move":
      return options([
        `If an earlier run of this stack moved it away from here and failed before it was deleted, or nothing manages it, ${adopt}`,
        ...others,
      ]);
    case undefined:
      return options([
        ...others,
        unmanaged,
        `If the engine is replacing this resource (\`--replace\`, \`pulumi state taint\`), ${first}`,
      ]);
  }
}

/** The way out if another resource of the program owns one of `holders`. */
function otherHolder(creation: Creation, holders: readonly Observed[]): string {
  const { kind, inputs, key, run } = creation;
  const givingUp = run.ledger.declarations.givenUpBy(key);
  if (givingUp !== undefined) return inTwoUpdates(kind, inputs, givingUp);
  const isKept = holders.some(({ uid }) => isOwnedFor(kind, uid, key, run));
  if (isKept && key !== undefined && run.ledger.declarations.replacement(key) === "in place")
    // The engine replaces on its own account after a diff that needed no replacement: `replaceOnChanges`.
    return (
      "If the engine is replacing this resource, this is its own old object: set `deleteBeforeReplace: true`, so that the engine " +
      "deletes it first. Otherwise another resource of this program manages it: remove one of the two."
    );
  if (isKept) return "Another resource of this program manages it. Remove one of the two.";
  return (
    "Another resource of this program manages it and gives up this name or binding in the same run. Run again; " +
    "if that fails too, let this resource wait for the other one with `dependsOn`."
  );
}

/** True if a resource of the program owns the object and declares `key`. Another process does not share the key that its resource declares. */
export function isOwnedFor(kind: Kind, uid: string, key: string | undefined, { ledger }: Run): boolean {
  return ledger.has(kind, uid) && (ledger.keyOf(kind, uid) ?? key) === key;
}

/** Uids for messages. */
export function uidsOf(objects: readonly Pick<Observed, "uid">[]): string {
  return list(objects.map(({ uid }) => uid));
}
