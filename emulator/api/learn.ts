import { parentOf } from "../storage/uid";
import type { Request } from "../wire/http";
import { Query } from "../wire/query";
import { withLogin } from "./lookup-identity";
import type { OriginalPlatform, Services } from "./services";

/**
 * Asks the platform that a copy was made of, where a call needs what no List shows. Only for callers with a valid token.
 *
 * @returns the uid of an identity that is looked up, if the copy itself does not know it
 * @throws {ApiError} if the platform does not answer
 */
export async function learn(services: Services, { method, path, query }: Request): Promise<string | undefined> {
  const original = services.copied?.original;
  if (original === undefined) return undefined;
  if (method === "GET" && path.endsWith("/identities:lookupIdentity")) return learnIdentity(services, original, new Query(query));
  const [, repo] = /\/repos\/(.+)\/readme$/.exec(path) ?? [];
  if (method === "GET" && repo !== undefined) await learnReadme(services, original, repo);
  const [, association] = /\/accountAssociations\/(.+):check/.exec(path) ?? [];
  if (association !== undefined)
    original.note(
      `check of account association ${association}`,
      "only the platform can check accounts, the copy assumes an answer",
    );
  return undefined;
}

async function learnIdentity(
  { store, settings }: Services,
  original: OriginalPlatform,
  query: Query,
): Promise<string | undefined> {
  const [issuer, subject] = [query.one("issuer") ?? "", query.one("subject") ?? ""];
  if (issuer === "" || subject === "" || withLogin(store, issuer, subject) !== undefined) return undefined;
  const uid = await original.lookUpIdentity(issuer, subject);
  const isStored = ["identities", "people"].some((kind) => store.get(kind, uid) !== undefined);
  // A copy that hides people stores no logins to compare, so a stored identity is the one that is meant.
  if (isStored && (!original.showsPeople || parentOf(uid) === "")) return uid;
  if (isStored || original.holds(uid)) {
    const reason = "its identity was deleted or changed in the copy, which makes up the uid of a person";
    original.note(`uid of the identity with issuer ${issuer} and subject ${subject}`, reason);
    return undefined;
  }
  const fields = original.showsPeople ? { claimMatch: { issuer, subject } } : {};
  store.insert({ kind: "people", uid, parent: "", createTime: settings.timestamp(), fields });
  return uid;
}

async function learnReadme({ store }: Services, original: OriginalPlatform, uid: string): Promise<void> {
  const before = store.get("repos", uid);
  if (before === undefined || "readme" in before.fields || !original.holds(uid)) return;
  const readme = await original.readme(uid);
  const now = store.get("repos", uid);
  if (now !== undefined && !("readme" in now.fields)) store.update({ ...now, fields: { ...now.fields, readme } });
}
