import type { WireObject } from "../../client/collection";
import { hasCode, PlatformError } from "../../client/errors";
import { pollUntil } from "../../client/wait";
import { lineageOf } from "../../client/uid";
import { group } from "../../kinds/group";
import { differing, type Inputs, isKind, naturalKeyOf, type Kind, observedInputs } from "../../kinds/kind";
import type { Run } from "../run";
import { isNotFound } from "../visibility";
import { madeHere } from "./ownership";
import type { PendingCreate } from "./pending-creates";

/** Milliseconds between two look-ups of the object of a pending create. */
const pollMs = 1_000;

/** How many objects of one place are asked for to show that a List is not blind there. */
const controlCount = 10;

/**
 * Confirms that the declared parent is the uid of a visible object. The platform also accepts names and partial uids as parents
 * (docs/platform-api.md#parents), but such an object would differ from its declaration in every run.
 *
 * @throws PlatformError with the right uid, or that the parent was not found
 */
export async function verifyParent({ parents, parentInput, fields }: Kind, inputs: Inputs, run: Run): Promise<void> {
  const parentUid = String(inputs[parentInput]);
  if (run.created.has(parents, parentUid)) return;
  await run.parents.once(`${parents.segment} ${parentUid}`, async () => {
    try {
      await run.client.get(parents, parentUid);
    } catch (error) {
      // These credentials may be allowed to create here, but not to read.
      if (hasCode(error, "PERMISSION_DENIED")) return;
      if (!isNotFound(error)) throw error;
      throw new PlatformError(
        "NOT_FOUND",
        `parent ${parents.noun} ${parentUid} not found. Nothing was created. Check that ${parentInput} is a uid${"parentPath" in fields ? " (names go in parentPath)" : ", not a name"}, and check address, token and organisation.`,
        { cause: error },
      );
    }
  });
}

/** Who has a natural key before anything is sent. */
interface Holders<Wire> {
  readonly holders: Wire[];
  /** True if none has it right now, of a kind without creation times: what has it afterwards is newer. */
  readonly isFree: boolean;
}

/**
 * The objects that have the natural key of `inputs` before anything is sent, from one List of the parent's children that all creates
 * share; for a kind without creation times from a List of its own, so that what has the key afterwards is newer. If another process
 * left a pending create of this key, waits until it is applied or no longer can be.
 *
 * @throws PlatformError `PERMISSION_DENIED` for a kind without creation times, if the List is forbidden
 */
export async function holdersBefore<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  pending: PendingCreate | undefined,
  signal: AbortSignal,
): Promise<Holders<Wire>> {
  await verifyParent(kind, inputs, run);
  if (pending !== undefined) return { holders: await holdersAfter(kind, inputs, run, pending, signal), isFree: false };
  if (run.created.has(kind.parents, String(inputs[kind.parentInput]))) return { holders: [], isFree: !hasCreateTime(kind) };
  if (kind.sharesUid) return { holders: await unlessForbidden(kind, currentHolders(kind, inputs, run, signal)), isFree: false };
  if (kind.naturalKey.length > 0 && !hasCreateTime(kind)) {
    const holders = await currentHolders(kind, inputs, run, signal);
    return { holders, isFree: holders.length === 0 };
  }
  const holders: Wire[] = [];
  for (const uid of await listedHolders(kind, inputs, run)) {
    const holder = await stillHolder(kind, uid, inputs, run, signal);
    if (holder !== undefined) holders.push(holder);
  }
  return { holders, isFree: false };
}

/** True if the platform says when it created an object of this kind. */
function hasCreateTime({ fields }: Kind): boolean {
  return Object.hasOwn(fields, "createTime");
}

/** The objects that have the natural key of `inputs` now; for a kind without one, those that equal `inputs`. */
export async function currentHolders<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  signal?: AbortSignal,
): Promise<Wire[]> {
  const parentUid = String(inputs[kind.parentInput]);
  if (kind.sharesUid) {
    const holder = await stillHolder(kind, parentUid, inputs, run, signal);
    return holder === undefined ? [] : [holder];
  }
  const query = { childrenOf: parentUid, ...kind.lookup(inputs) };
  const rows = await run.client.list(kind.collection, query, signal ? { signal } : {});
  return rows.filter((row) => holdsKey(kind, row, inputs));
}

/** The object `uid` if it still has the natural key of `inputs`: a shared List may be minutes old. */
export async function stillHolder<Wire extends WireObject>(
  kind: Kind<Wire>,
  uid: string,
  inputs: Inputs,
  run: Run,
  signal?: AbortSignal,
): Promise<Wire | undefined> {
  try {
    const row = await run.client.get(kind.collection, uid, signal ? { signal } : {});
    return holdsKey(kind, row, inputs) ? row : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * True when the List of `kind` would show these credentials a new object under `parentUid`, because it now shows one in that place or
 * in a group above: roles are inherited downwards. Objects elsewhere, and built-in roles, prove nothing.
 */
export async function listSees(kind: Kind, parentUid: string, run: Run): Promise<boolean> {
  const above = lineageOf(parentUid);
  // A group that is seen proves it for all that is in it.
  if (isKind(kind, group)) return (await run.client.list(kind.collection, { uids: above })).length > 0;
  for (const childrenOf of above) {
    const rows = await run.client.listSome(kind.collection, { childrenOf }, controlCount);
    if (rows.length > 0) return true;
  }
  return false;
}

async function holdersAfter<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  { timeLeftMs, made }: PendingCreate,
  signal: AbortSignal,
): Promise<Wire[]> {
  const { clock } = run.client;
  const end = await pollUntil({ timeoutMs: timeLeftMs(), delayMs: pollMs, lastProbe: true, signal, clock }, async () => {
    const holders = await unlessForbidden(kind, currentHolders(kind, inputs, run, signal));
    const counted = kind.naturalKey.length > 0 ? holders : madeHere(kind, run, holders, [made]);
    const isOver = counted.length > 0 || timeLeftMs() === 0;
    return isOver ? { state: "target", value: counted } : { state: "pending", reason: counted };
  });
  return end.state === "target" ? end.value : end.reason;
}

/** Lets the creates under `parentUid` use a List of its children that was just read. */
export function shareChildren<Wire extends WireObject>(kind: Kind<Wire>, parentUid: string, rows: Wire[], run: Run): void {
  void run.children.once(childrenKey(kind, parentUid), () => Promise.resolve(indexByKey(kind, rows)));
}

function childrenKey({ collection }: Pick<Kind, "collection">, parentUid: string): string {
  return `${collection.segment} ${parentUid}`;
}

/** The objects found; none if these credentials may not look and the create may proceed without this look-up. */
async function unlessForbidden<Wire extends WireObject>(kind: Kind<Wire>, holders: Promise<Wire[]>): Promise<Wire[]> {
  return holders.catch((error: unknown) => {
    if (mayGoOn(kind, error)) return [];
    throw error;
  });
}

/**
 * True if a create may go on without knowing who has the key. Kinds without creation times need the look-up: a second create overwrites
 * a tag, and makes a second subscription (docs/decisions/0029-keys-of-kinds-without-a-name.md).
 */
function mayGoOn(kind: Kind, error: unknown): boolean {
  return hasCode(error, "PERMISSION_DENIED") && hasCreateTime(kind);
}

/** Uids from the shared List; none if the List is forbidden or broken. */
async function listedHolders(kind: Kind, inputs: Inputs, run: Run): Promise<readonly string[]> {
  const [parentUid, key] = [String(inputs[kind.parentInput]), naturalKeyOf(kind, inputs)];
  if (key === undefined) return [];
  const byKey = await run.children.once(childrenKey(kind, parentUid), async () => {
    try {
      return indexByKey(kind, await run.client.list(kind.collection, { childrenOf: parentUid }));
    } catch (error) {
      // What an unreliable List shows counts; that it shows nothing does not.
      if (hasCode(error, "PERMISSION_DENIED") || kind.calls.list === "unreliable") return new Map<string, string[]>();
      throw error;
    }
  });
  return byKey.get(key) ?? [];
}

function holdsKey<Wire extends WireObject>(kind: Kind<Wire>, row: Wire, inputs: Inputs): boolean {
  if (kind.naturalKey.length === 0) return differing(kind, row, inputs).length === 0;
  return naturalKeyOf(kind, observedInputs(kind, row)) === naturalKeyOf(kind, inputs);
}

function indexByKey<Wire extends WireObject>(kind: Kind<Wire>, rows: Wire[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const row of rows) {
    const key = naturalKeyOf(kind, observedInputs(kind, row));
    if (key !== undefined) index.set(key, [...(index.get(key) ?? []), row.uid]);
  }
  return index;
}
