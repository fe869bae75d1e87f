import { identities } from "../objects/identities";
import { stableUid } from "../storage/uid";
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

  run({ services: { store, settings }, query }) {
    const [issuer, subject] = [query.one("issuer") ?? "", query.one("subject") ?? ""];
    const missing = Object.entries({ issuer, subject }).filter(([, value]) => value === "");
    if (missing.length > 0) throw invalidArgument(...missing.map(([field]) => ({ field, description: "is required" })));
    const matching = {
      sql: "fields ->> '$.claimMatch.issuer' = ? AND fields ->> '$.claimMatch.subject' = ?",
      values: [issuer, subject],
    };
    const known = store.select("identities", [matching], { order: "ORDER BY uid", limit: 1 })[0];
    if (known !== undefined) return { uid: known.uid };
    const uid = stableUid(`person ${JSON.stringify([issuer, subject])}`);
    if (store.get("people", uid) === undefined) {
      const fields = { claimMatch: { issuer, subject } };
      store.insert({ kind: "people", uid, parent: "", createTime: settings.timestamp(), fields });
    }
    return { uid };
  },
};
