import { identities } from "../objects/identities";
import { parentOf, stableUid } from "../storage/uid";
import type { Store } from "../storage/store";
import { invalidArgument } from "../wire/errors";
import type { Query } from "../wire/query";
import type { Action } from "./action";
import type { Services } from "./services";

/**
 * The uid of the identity with an issuer and a subject. A person who never logged in gets the uid of the later first login, so that roles
 * can be bound before it. The uid is kept among the `people` that a role binding may name.
 */
export const lookupIdentity: Action = {
  method: "GET",
  kind: identities,
  suffix: ":lookupIdentity",
  on: "collection",

  run({ services: { store, settings }, query }) {
    const [issuer, subject] = [query.one("issuer") ?? "", query.one("subject") ?? ""];
    const missing = Object.entries({ issuer, subject }).filter(([, value]) => value === "");
    if (missing.length > 0) throw invalidArgument(...missing.map(([field]) => ({ field, description: "is required" })));
    const known = withLogin(store, issuer, subject);
    if (known !== undefined) return { uid: known };
    const uid = stableUid(`person ${JSON.stringify([issuer, subject])}`);
    if (store.get("people", uid) === undefined) {
      const fields = { claimMatch: { issuer, subject } };
      store.insert({ kind: "people", uid, parent: "", createTime: settings.timestamp(), fields });
    }
    return { uid };
  },
};

/** Asks the platform that a copy was made of for a person that the copy does not know yet. */
export async function learnPerson({ copied, store, settings }: Services, query: Query): Promise<void> {
  const [issuer, subject] = [query.one("issuer") ?? "", query.one("subject") ?? ""];
  if (copied === undefined || issuer === "" || subject === "" || withLogin(store, issuer, subject) !== undefined) return;
  const uid = await copied.lookUpIdentity(issuer, subject);
  // The platform names an identity that this copy has deleted or changed since. Here the login belongs to a person without an account.
  if (parentOf(uid) !== "" || withLogin(store, issuer, subject) !== undefined) return;
  const person = store.get("people", uid);
  const fields = { ...person?.fields, claimMatch: { issuer, subject } };
  if (person !== undefined) store.update({ ...person, fields });
  else store.insert({ kind: "people", uid, parent: "", createTime: settings.timestamp(), fields });
}

/** The uid of the identity or the person with exactly this issuer and subject. */
function withLogin(store: Store, issuer: string, subject: string): string | undefined {
  const matching = {
    sql: "fields ->> '$.claimMatch.issuer' = ? AND fields ->> '$.claimMatch.subject' = ?",
    values: [issuer, subject],
  };
  const first = (kind: string) => store.select(kind, [matching], { order: "ORDER BY uid", limit: 1 })[0]?.uid;
  return first("identities") ?? first("people");
}
