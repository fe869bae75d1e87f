import { identities } from "../objects/identities";
import { stableUid } from "../storage/uid";
import type { Store } from "../storage/store";
import { invalidArgument } from "../wire/errors";
import type { Action } from "./action";

/**
 * The uid of the identity with an issuer and a subject. A person who never logged in gets the uid of the later first login, so that roles
 * can be bound before it. The uid is kept among the `people` that a role binding may name.
 */
export const lookupIdentity: Action = {
  method: "GET",
  kind: identities,
  suffix: ":lookupIdentity",
  on: "collection",

  run({ services: { store, settings }, query, learned }) {
    if (learned !== undefined) return { uid: learned };
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

/** The uid of the identity or the person with exactly this issuer and subject. */
export function withLogin(store: Store, issuer: string, subject: string): string | undefined {
  const matching = {
    sql: "fields ->> '$.claimMatch.issuer' = ? AND fields ->> '$.claimMatch.subject' = ?",
    values: [issuer, subject],
  };
  const first = (kind: string) => store.select(kind, [matching], { order: "ORDER BY uid", limit: 1 })[0]?.uid;
  return first("identities") ?? first("people");
}
