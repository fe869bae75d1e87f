import { stringOf } from "../wire/json";
import { messageNamed } from "../contract/messages";
import type { ObjectKind } from "./object-kind";

/** Subscriptions, which name the address for the events of a group (docs/platform-api.md#subscriptions). The emulator sends none. */
export const subscriptions: ObjectKind = {
  area: "events",
  collection: "subscriptions",
  noun: "subscription",
  parent: "groups",
  message: messageNamed("events.Subscription"),
  capabilities: {
    list: "CAP_EVENTS_SUBSCRIPTION_LIST",
    create: ["CAP_EVENTS_SUBSCRIPTION_CREATE"],
    delete: ["CAP_EVENTS_SUBSCRIPTION_DELETE"],
  },
  orders: ["uid", "created_at"],
  filters: {},

  check({ fields }) {
    const sink = stringOf(fields["sink"]);
    return URL.canParse(sink) && new URL(sink).protocol === "https:"
      ? []
      : [{ field: "sink", description: "must be an https URL" }];
  },
};
