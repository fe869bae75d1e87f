import type { WireObject } from "../../client/collection";
import { hasCode, isNotFound, PlatformError, platformErrorAs } from "../../client/errors";
import { pollUntil } from "../../client/wait";
import { differing, type Inputs, naturalKeyOf, type Kind, type Observed } from "../../schema/kind";
import { showsControl } from "../../sight/control";
import type { Run } from "../run/run";
import type { Creation, Sought } from "./creation";
import { madeHere, ownOf } from "./ownership";
import type { PendingCreate } from "../ledger/notes";
import type { Sends } from "./sends";

/** Milliseconds between two look-ups of the object of a pending create. */
const pollMs = 1_000;

/** The objects with the natural key of a create, and those that it may have made; after a POST in doubt, see {@link holdersInDoubt}. */
export async function holdersOf(creation: Creation, sends: Sends): Promise<readonly Observed[]> {
  switch (sends.outcome) {
    case "nothing sent": {
      const { holders, isFree } = await creation.limit.within(holdersBefore(creation, sends.pending));
      if (isFree) sends.foundFree();
      return holders;
    }
    case "batch rejected":
    case "already exists":
      return holdersNow(creation, sends).catch((error: unknown) => {
        // The next POST, or the error of the last one, says what is wrong.
        if (PlatformError.isInstance(error)) return [];
        throw error;
      });
    case "in doubt":
      return holdersInDoubt(creation, sends);
  }
}

async function holdersNow(creation: Creation, sends: Sends): Promise<readonly Observed[]> {
  const { kind, key, run, limit } = creation;
  const holders = await currentHolders(creation, limit.signal);
  return key === undefined ? madeHere(kind, run, holders, sends.suspicion) : holders;
}

/** Who has the key as soon as the object of the POST in doubt is found, or once that POST can no longer be applied. */
async function holdersInDoubt(creation: Creation, sends: Sends): Promise<readonly Observed[]> {
  const { run, limit } = creation;
  const { signal } = limit;
  const wait = {
    timeoutMs: sends.timeLeftMs,
    delayMs: Infinity,
    lastProbe: "at timeout",
    signal,
    clock: run.client.clock,
  } as const;
  const { value } = await pollUntil(wait, async () => {
    const holders = await holdersNow(creation, sends);
    return { state: ownOf(creation, holders, sends) === undefined ? "pending" : "target", value: holders };
  });
  return value;
}

/** Why a POST in doubt may have made an object that no List shows; undefined if it provably made none. @param cause its error */
export async function doubtOf(
  { kind, inputs, run, limit }: Creation,
  cause: PlatformError | undefined,
): Promise<string | undefined> {
  if (cause?.code === "ALREADY_EXISTS") return "it exists, but no List shows it.";
  // A parent has one at most, so a second POST cannot create another.
  if (kind.sharesUid) return undefined;
  // A create that overwrites makes no second object, so to send it again is as safe as the first time.
  if (kind.calls.update === "post") return undefined;
  const parentUid = String(inputs[kind.parentInput]);
  const isSeen = await limit.within(showsControl(kind, parentUid, run.client)).catch(platformErrorAs(() => false));
  if (!isSeen) return `no List shows these credentials any ${kind.collection.noun} in ${parentUid} or above.`;
  const isAnswered = cause?.fromPlatform && cause.status === 200;
  return isAnswered ? "the platform reported success, but no List shows it." : undefined;
}

/**
 * Confirms that the parent in `inputs` is the uid of an object. The platform also accepts names and partial uids
 * (docs/platform-api.md#parents), but then the new object would differ from its declaration in every run. Not for parents that this run
 * has created: they may not be visible yet.
 *
 * @throws PlatformError with the right uid, or that the parent was not found
 */
export async function verifyParent({ parents, parentInput, fields }: Kind, inputs: Inputs, run: Run): Promise<void> {
  const parentUid = String(inputs[parentInput]);
  await run.sharing.parents.once(`${parents.segment} ${parentUid}`, async () => {
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
interface Holders {
  readonly holders: readonly Observed[];
  /** True for a kind without creation times if no object has the key now: one that has it afterwards is newer. */
  readonly isFree: boolean;
}

/**
 * The objects with the natural key of `inputs` before anything is sent, from one List of the parent's children that all creates
 * share; for a kind without creation times from a List of its own, so that what has the key afterwards is newer. If another process
 * left a pending create of this key, waits until it is applied or no longer can be.
 *
 * @throws PlatformError `PERMISSION_DENIED` for a kind without creation times, if the List is forbidden
 */
async function holdersBefore(creation: Creation, pending: PendingCreate | undefined): Promise<Holders> {
  const { kind, inputs, run, limit } = creation;
  const { signal } = limit;
  const isInNew = run.ledger.created.has(kind.parents, String(inputs[kind.parentInput]));
  if (!isInNew) await verifyParent(kind, inputs, run);
  if (pending !== undefined) return { holders: await holdersAfter(creation, pending), isFree: false };
  if (isInNew) return { holders: [], isFree: !hasCreateTime(kind) };
  if (kind.sharesUid) return { holders: await unlessForbidden(kind, currentHolders(creation, signal)), isFree: false };
  if (kind.naturalKey.length > 0 && !hasCreateTime(kind)) {
    const holders = await currentHolders(creation, signal);
    return { holders, isFree: holders.length === 0 };
  }
  const holders: Observed[] = [];
  for (const uid of await listedHolders(creation)) {
    const holder = await stillHolder(creation, uid, signal);
    if (holder !== undefined) holders.push(holder);
  }
  return { holders, isFree: false };
}

/** True if the platform says when it created an object of this kind. */
function hasCreateTime({ fields }: Kind): boolean {
  return Object.hasOwn(fields, "createTime");
}

/** The objects that have the sought natural key now; for a kind without one, the objects that equal its inputs. */
export async function currentHolders(sought: Sought, signal?: AbortSignal): Promise<Observed[]> {
  const { kind, inputs, run } = sought;
  const parentUid = String(inputs[kind.parentInput]);
  if (kind.sharesUid) {
    const holder = await stillHolder(sought, parentUid, signal);
    return holder === undefined ? [] : [holder];
  }
  const query = { childrenOf: parentUid, ...kind.lookup(inputs) };
  const rows = await run.client.list(kind.collection, query, { signal });
  return rows.map((row) => kind.observe(row)).filter((row) => isSought(sought, row));
}

/** The object `uid` if it is still one of the {@link currentHolders}: a shared List may be minutes old. */
async function stillHolder(sought: Sought, uid: string, signal?: AbortSignal): Promise<Observed | undefined> {
  const { kind, run } = sought;
  try {
    const row = kind.observe(await run.client.get(kind.collection, uid, { signal }));
    return isSought(sought, row) ? row : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The {@link currentHolders} once the create that another process left behind has made its object, or can no longer be applied. */
async function holdersAfter(creation: Creation, { timeLeftMs, made }: PendingCreate): Promise<readonly Observed[]> {
  const { kind, run, limit } = creation;
  const { signal } = limit;
  const { clock } = run.client;
  const wait = { timeoutMs: timeLeftMs(), delayMs: pollMs, lastProbe: "at timeout", signal, clock } as const;
  const { value } = await pollUntil(wait, async () => {
    const holders = await unlessForbidden(kind, currentHolders(creation, signal));
    const counted = kind.naturalKey.length > 0 ? holders : madeHere(kind, run, holders, [made]);
    const isOver = counted.length > 0 || timeLeftMs() === 0;
    return { state: isOver ? "target" : "pending", value: counted };
  });
  return value;
}

/** Lets the creates under `parentUid` use a List of its children that was just read. */
export function shareChildren(kind: Kind, parentUid: string, rows: readonly WireObject[], run: Run): void {
  void run.sharing.children.once(childrenKey(kind, parentUid), () => Promise.resolve(indexByKey(kind, rows)));
}

function childrenKey({ collection }: Pick<Kind, "collection">, parentUid: string): string {
  return `${collection.segment} ${parentUid}`;
}

/**
 * The objects found; none if these credentials may not look. Kinds without creation times need the look-up: a second create overwrites
 * a tag, and makes a second subscription (docs/decisions/0029-keys-of-kinds-without-a-name.md).
 */
async function unlessForbidden(kind: Kind, holders: Promise<Observed[]>): Promise<readonly Observed[]> {
  return holders.catch((error: unknown) => {
    if (hasCode(error, "PERMISSION_DENIED") && hasCreateTime(kind)) return [];
    throw error;
  });
}

/** Uids from the shared List; none if the List is forbidden or broken. */
async function listedHolders({ kind, inputs, key, run }: Creation): Promise<readonly string[]> {
  const parentUid = String(inputs[kind.parentInput]);
  if (key === undefined) return [];
  const byKey = await run.sharing.children.once(childrenKey(kind, parentUid), async () => {
    try {
      return indexByKey(kind, await run.client.list(kind.collection, { childrenOf: parentUid }));
    } catch (error) {
      // A row of an unreliable List is evidence. Its absence is none.
      if (hasCode(error, "PERMISSION_DENIED") || kind.calls.list === "unreliable") return new Map<string, string[]>();
      throw error;
    }
  });
  return byKey.get(key) ?? [];
}

function isSought({ kind, inputs }: Sought, row: Observed): boolean {
  if (kind.naturalKey.length === 0) return differing(kind, row, inputs).length === 0;
  return naturalKeyOf(kind, row.inputs) === naturalKeyOf(kind, inputs);
}

function indexByKey(kind: Kind, rows: readonly WireObject[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const row of rows) {
    const key = naturalKeyOf(kind, kind.observe(row).inputs);
    if (key !== undefined) index.set(key, [...(index.get(key) ?? []), row.uid]);
  }
  return index;
}
