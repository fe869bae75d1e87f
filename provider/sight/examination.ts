import type { PlatformClient } from "../client/client";
import { causeOf, hasCode, isNotFound, platformErrorAs } from "../client/errors";
import { groupText } from "../client/known-paths";
import type { Kind } from "../schema/kind";
import type { Stated } from "../schema/operation";
import { DeletionProof, type FirstGrants } from "./deletion-proof";
import { onceOldEnough, youngForMs } from "./old-enough";
import { listCapability, callerRights, type Right, rightIn } from "./rights";
import { describeUnseen, type Gap, Visibility } from "./visibility";

/** One sign for or against the deletion of an object. */
export interface Sign {
  /** The request: for the object, the groups around it, the Lists of its kind, or the rights of the caller. */
  readonly of: "object" | "place" | "list" | "right";
  /** True if the sign agrees that the object is gone. */
  readonly agrees: boolean;
  /** A sentence. */
  readonly text: string;
}

/** The calls of an examination. */
type Client = Pick<PlatformClient, "get" | "list" | "listSome" | "listUpTo" | "caller" | "clock" | "timing" | "serverTime">;

/**
 * Asks the platform for every sign of the deletion of an object in a state, for a person who decides. An existing object has one sign.
 * Each sign is newer than the one before it. Access may be lost in between, so the right comes last to show that it was there.
 */
// See docs/decisions/0054-no-error-lasts-for-ever.md.
export async function examine(stated: Stated, client: Client): Promise<readonly Sign[]> {
  const { kind, uid } = stated;
  const visibility = new Visibility(client);
  const object = await objectIn(stated, client);
  if (object.is === "there") return [object.sign];
  const gap = await visibility.gap(kind, uid);
  const isGroupGone = await isGone(kind, uid, gap, new DeletionProof(client, visibility, noGrants));
  return [
    object.is === "refused" ? refusal(object.why, isGroupGone) : object.sign,
    placeSign(gap, isGroupGone),
    await listSign(kind, uid, gap, client),
    await rightSign(kind, uid, client),
  ];
}

/** An examination deletes nothing, so it cannot lose access of its own. */
const noGrants: FirstGrants = {
  listed: () => Promise.resolve([]),
  areLost: () => Promise.resolve(false),
};

type Found =
  | { readonly is: "there" | "missing"; readonly sign: Sign }
  /** Below a group that is gone, a platform may answer 403. */
  | { readonly is: "refused"; readonly why: string };

async function objectIn({ kind, uid, state }: Stated, client: Client): Promise<Found> {
  try {
    await onceOldEnough(state, client, () => client.get(kind.collection, uid));
    return { is: "there", sign: { of: "object", agrees: false, text: "It exists: the platform answers with it." } };
  } catch (error) {
    if (isNotFound(error))
      return { is: "missing", sign: { of: "object", agrees: true, text: 'The platform answers "not found".' } };
    const why = causeOf(error).replace(/\.$/, "");
    if (hasCode(error, "PERMISSION_DENIED") && youngForMs(state, client) <= 0) return { is: "refused", why };
    return { is: "missing", sign: { of: "object", agrees: false, text: `It cannot be read: ${why}.` } };
  }
}

function refusal(why: string, isGroupGone: boolean): Sign {
  const then = isGroupGone ? "That says nothing, because its group is gone." : "So it may exist.";
  return { of: "object", agrees: isGroupGone, text: `The platform refuses to show it (${why}). ${then}` };
}

/** True if a group around the object is proven gone. */
async function isGone(kind: Kind, uid: string, { missing }: Gap, proof: DeletionProof): Promise<boolean> {
  if (missing === undefined) return false;
  return (await proof.goneAround(kind, uid).catch(platformErrorAs(() => undefined))) !== undefined;
}

function placeSign({ seen, missing }: Gap, isGroupGone: boolean): Sign {
  const sign = (agrees: boolean, text: string): Sign => ({ of: "place", agrees, text });
  if (seen === undefined)
    return sign(false, missing === undefined ? "It is in no group that could be asked for." : capital(describeUnseen(missing)));
  const answers = `Group ${groupText(seen.place)} answers.`;
  if (missing === undefined) return sign(true, answers);
  const group = groupText(missing.place);
  return isGroupGone
    ? sign(
        true,
        `Group ${group}, in which it was, is gone: group ${groupText(seen.place)} answers, and the List of groups does not show it.`,
      )
    : sign(false, `${answers} Group ${group}, in which it is, does not, and it is not proven that it was deleted.`);
}

async function listSign(kind: Kind, uid: string, { seen }: Gap, client: Client): Promise<Sign> {
  const { collection, calls } = kind;
  const sign = (agrees: boolean, text: string): Sign => ({ of: "list", agrees, text });
  const queries = [{ uids: [uid] }, ...(seen === undefined ? [] : [{ descendantsOf: seen.place }])];
  try {
    for (const query of queries)
      if ((await client.list(collection, query)).some((row) => row.uid === uid))
        return sign(false, `The List of ${collection.segment} shows it.`);
    return sign(true, `The List of ${collection.segment} does not show it.`);
  } catch (error) {
    const isUnreliable = calls.list === "unreliable" && seen !== undefined;
    const then = isUnreliable ? " It is known to fail, so the role below decides." : "";
    return sign(isUnreliable, `The List of ${collection.segment} does not work (${causeOf(error).replace(/\.$/, "")}).${then}`);
  }
}

async function rightSign(kind: Kind, uid: string, client: Client): Promise<Sign> {
  const { segment } = kind.collection;
  const needed = listCapability(kind) ?? "the capability";
  const right = await callerRights(client).then(
    (rights) => rightIn(kind, kind.placeOf(uid) ?? uid, rights),
    platformErrorAs((error) => error),
  );
  if (typeof right !== "string")
    return {
      of: "right",
      agrees: false,
      text: `It cannot be read what these credentials may list (${causeOf(right).replace(/\.$/, "")}).`,
    };
  const texts: Readonly<Record<Right, string>> = {
    held: `A role of these credentials, there or above, has ${needed}, so the List of ${segment} would show it.`,
    missing: `No role of these credentials, there or above, has ${needed}, so the List of ${segment} may hide it.`,
    "no bindings": `These credentials see no role binding of their own, so the List of ${segment} may hide it.`,
    "unknown caller": "It is unknown whose credentials these are, so nothing shows what they may list. Set platform:identity.",
  };
  return { of: "right", agrees: right === "held", text: texts[right] };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
