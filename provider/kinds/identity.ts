import { z } from "zod";
import { identities, roleBindings, type WireIdentity } from "../client/iam";
import { issuerUrl, plainText, someText, uid } from "./inputs";
import type { Kind } from "./kind";

/** An identity: who may log in with which OIDC token (SPEC §2, §5). */
export const identity: Kind<WireIdentity> = {
  collection: identities,
  inputs: z.strictObject({
    parentUid: uid,
    name: someText,
    description: plainText.nullish(),
    claimMatch: z.strictObject({ issuer: issuerUrl, subject: someText }, { error: "is required: { issuer, subject }" }),
  }),
  immutable: ["parentUid"],
  naturalKey: ["name"],
  lookup: (inputs) => ({ name: inputs["name"] }),
  // Every member of the match, so that one widened by hand is seen and wholly repaired (DESIGN §5).
  read: ({ name, description, claimMatch }) => ({ name, description, claimMatch }),
  outputs: ({ createTime }) => ({ createTime }),
  calls: { delete: "refuses missing" },
  blockers: [{ collection: roleBindings, query: (uid) => ({ identity: uid }) }],
};
