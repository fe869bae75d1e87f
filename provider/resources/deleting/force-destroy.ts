import { codeOf, causeOf, PlatformError, platformErrorAs, withContext, worstFirst } from "../../client/errors";
import { asSentence } from "../../client/printable";
import { isBelow, organizationOf } from "../../client/uid";
import type { Shape } from "../../schema/field";
import { describeExisting, type Inputs, type Kind } from "../../schema/kind";
import type { Stated } from "../../schema/operation";
import { blockersOf } from "../../kinds/blockers";
import { kinds } from "../../kinds/kinds";
import { deletionOf } from "../guards/change";
import type { Run } from "../run/run";

/** Deletes one object, with every guard of an ordinary deletion. */
type Remove = (kind: Kind, uid: string, state: Inputs, run: Run) => Promise<void>;

/** Most problems that an error names. */
const mostNamed = 10;

/**
 * Deletes all objects in the group. First it reads all of them, and rejects the deletion as a whole if one of them is never deleted with
 * its group. Then it tells the user what it deletes, in order.
 *
 * @throws PlatformError `PROTECTED`, `SELF_LOCKOUT`: nothing was sent
 * @throws PlatformError with the code of the worst failed deletion, which names the remaining objects
 */
// See docs/decisions/0032-guards-of-groups.md.
export async function emptyOut(group: Stated, run: Run, remove: Remove): Promise<void> {
  const { kind, uid } = group;
  const what = `delete ${labelOf(group)} with forceDestroy`;
  const { doomed, obstacles } = await contentsOf(kind, uid, run).catch((error: unknown) => {
    const why = `not everything in it can be read: ${asSentence(causeOf(error))} Nothing was sent.`;
    throw new PlatformError(codeOf(error), `${what}: ${why}`, { cause: error });
  });
  if (obstacles.length > 0) throw stopped(what, kind, obstacles);
  if (doomed.length === 0) return;
  await requireOwnAccess(what, doomed, run);
  const lines = doomed.map((each, index) => `  ${index + 1}. ${labelOf(each)}`);
  run.notify(`warning: ${what} deletes ${count(doomed.length)} in this order:\n${lines.join("\n")}`);
  let done = 0;
  for (const step of stepsOf(doomed)) {
    const results = await Promise.allSettled(
      // This run may already be deleting the object.
      step.map(
        (each) => run.ledger.deletions.get(each.kind.collection, each.uid)?.done ?? remove(each.kind, each.uid, each.state, run),
      ),
    );
    const rejected = results.filter((result) => result.status === "rejected");
    const [failed] = worstFirst(rejected, ({ reason }) => reason);
    done += results.filter((result) => result.status === "fulfilled").length;
    if (failed === undefined) continue;
    const why = `${done} of ${count(doomed.length)} were deleted, the rest and the ${kind.collection.noun} itself remain: ${causeOf(failed.reason)}`;
    throw new PlatformError(codeOf(failed.reason), `${what}: ${why}`, { cause: failed.reason });
  }
}

/** True if nothing that this run sees stops {@link emptyOut}. */
export async function canEmptyOut({ kind, uid }: Stated, run: Run): Promise<boolean> {
  const work = async () => {
    const { doomed, obstacles } = await contentsOf(kind, uid, run);
    if (obstacles.length > 0) return false;
    await requireOwnAccess("", doomed, run);
    return true;
  };
  return work().catch(platformErrorAs(() => false));
}

/** The objects in `uid` in order of deletion, and the obstacles of that deletion. */
async function contentsOf(kind: Kind, uid: string, run: Run): Promise<{ doomed: Stated[]; obstacles: string[] }> {
  const found = await Promise.all(inDeletionOrder(kind).map((each) => inside(each, uid, run)));
  const doomed = found.flatMap((objects) => objects.toSorted(deepestFirst));
  const outside = await references(doomed, uid, run);
  return { doomed, obstacles: [...doomed.flatMap((each) => obstacleOf(each, run)), ...outside] };
}

function stopped(what: string, { collection }: Kind, obstacles: readonly string[]): PlatformError {
  const named = obstacles.slice(0, mostNamed).map((obstacle) => `\n  ${obstacle}`);
  const more = obstacles.length > mostNamed ? `\n  and ${obstacles.length - mostNamed} more` : "";
  const how = `Nothing was sent. Delete these first, or keep the ${collection.noun} with \`retainOnDelete\`.`;
  return new PlatformError("PROTECTED", `${what}: it does not delete:${named.join("")}${more}\n${how}`);
}

/** Every kind, each after the kinds that block its deletion or have a field with its uid, and `last` at the end. */
function inDeletionOrder(last: Kind): Kind[] {
  const all = Object.values<Kind>(kinds);
  const started = new Set<Kind>([last]);
  const order: Kind[] = [];
  const add = (kind: Kind) => {
    if (started.has(kind)) return;
    started.add(kind);
    const segments = blockersOf(kind).map(({ collection }) => collection.segment);
    const isFirst = ({ collection, fields }: Kind) =>
      segments.includes(collection.segment) || Object.values(fields).some(({ shape }) => names(shape, kind.collection.noun));
    all.filter(isFirst).forEach(add);
    order.push(kind);
  };
  all.forEach(add);
  return [...order, last];
}

/** True for the uid of an object of the kind `noun`, and for a shape that contains one. */
function names(shape: Shape, noun: string): boolean {
  if (shape.is === "uid") return shape.of === noun;
  if (shape.is === "message") return Object.values(shape.members).some((member) => names(member.shape, noun));
  return "of" in shape && names(shape.of, noun);
}

/** The objects of one kind in `uid`. */
async function inside(kind: Kind, uid: string, run: Run): Promise<Stated[]> {
  const below = await run.client.list(kind.collection, { descendantsOf: uid });
  // Some objects have the uid of their group.
  const same = kind.placeOf(uid) === uid ? await run.client.list(kind.collection, { uids: [uid] }) : [];
  return [...below, ...same].map((wire) => ({ kind, uid: wire.uid, state: kind.observe(wire).inputs }));
}

/** Deepest first, because objects inside another have longer uids. */
function deepestFirst(one: Stated, other: Stated): number {
  return depthOf(other) - depthOf(one) || (one.uid < other.uid ? -1 : 1);
}

function depthOf({ uid }: Stated): number {
  return uid.split("/").length;
}

/** Objects that can be deleted at once, step by step. */
function stepsOf(doomed: readonly Stated[]): Stated[][] {
  const steps: Stated[][] = [];
  for (const each of doomed) {
    const [last] = steps.at(-1) ?? [];
    if (last?.kind === each.kind && depthOf(last) === depthOf(each)) steps.at(-1)?.push(each);
    else steps.push([each]);
  }
  return steps;
}

function obstacleOf(each: Stated, run: Run): string[] {
  const { kind, uid } = each;
  if (!kind.withGroup) return [`${labelOf(each)}: never deleted with its group`];
  if (run.ledger.has(kind, uid)) return [`${labelOf(each)}: this program declares it`];
  if (run.ledger.protected.has(kind.collection, uid)) return [`${labelOf(each)}: its deletionProtection is true`];
  return [];
}

/**
 * Objects elsewhere in the organisation that block the deletion of one of `doomed`, because forceDestroy deletes nothing outside the group.
 */
async function references(doomed: readonly Stated[], uid: string, run: Run): Promise<string[]> {
  const uids = new Set(doomed.map((each) => each.uid));
  const referring = Object.values<Kind>(kinds).flatMap((kind) => {
    const fields = Object.entries(kind.fields).filter(([, { traits }]) => traits.blocksTarget);
    return fields.length > 0 ? [{ kind, names: fields.map(([name]) => name) }] : [];
  });
  if (doomed.length === 0) return [];
  const found = await Promise.all(
    referring.map(async ({ kind, names }) => {
      const rows = await run.client.list(kind.collection, { descendantsOf: organizationOf(uid) });
      const outside = rows.filter((row) => !isBelow(row.uid, uid)).map((row) => ({ row, state: kind.observe(row).inputs }));
      return outside
        .filter(({ state }) => names.some((name) => uids.has(String(state[name]))))
        .map(({ row, state }) => `${describeExisting(kind, row.uid, state)}, outside the group, names an object in it`);
    }),
  );
  return found.flat();
}

/**
 * Rejects the deletion as a whole if a part of it would end access that this run needs, even if the user allows that, because the rest of
 * the deletion would fail.
 *
 * @throws PlatformError `SELF_LOCKOUT`: nothing was sent
 */
async function requireOwnAccess(what: string, doomed: readonly Stated[], run: Run): Promise<void> {
  const deletions = doomed.filter(({ kind, uid }) => !run.ledger.deletions.has(kind.collection, uid)).map(deletionOf);
  for (const [index, verdict] of (await run.guards.ownAccess.onAll(deletions)).entries()) {
    if (verdict.is === "stop") throw withContext(what, verdict.error);
    if (verdict.is === "skip" || !verdict.endsOwnAccess) continue;
    const part = deletions[index] && labelOf(deletions[index]);
    const why = `it contains access of this run: ${part}. Nothing was sent. Delete that object separately, or use another identity.`;
    throw new PlatformError("SELF_LOCKOUT", `${what}: ${why}`);
  }
}

function labelOf({ kind, uid, state }: Stated): string {
  return describeExisting(kind, uid, state);
}

function count(objects: number): string {
  return objects === 1 ? "1 object" : `${objects} objects`;
}
