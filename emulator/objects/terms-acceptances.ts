import { messageNamed } from "../contract/messages";
import type { ObjectKind } from "./object-kind";

/** Acceptances of the platform's terms. The documents themselves are not part of the API, so any id can be accepted. */
export const termsAcceptances: ObjectKind = {
  area: "iam",
  collection: "termsAcceptances",
  noun: "terms acceptance",
  parent: "groups",
  message: messageNamed("iam.TermsAcceptance"),
  capabilities: { list: "CAP_TERMS_LIST" },
  orders: ["uid", "created_at"],
  defaultOrder: "created_at",
  filters: {},

  present: ({ parent }) => ({ orgUid: parent }),
};
