import { declare } from "../schema/declare";
import { parent, text } from "../schema/fields";
import { httpsUrl } from "../schema/inputs";
import { inGroup } from "../schema/references";

/** A subscription, which sends the events of a group to an address (docs/platform-api.md#subscriptions). */
export const subscription = declare({
  name: "Subscription",
  address: { noun: "subscription", area: "events", segment: "subscriptions", capabilities: "EVENTS_SUBSCRIPTION" },
  fields: inGroup({
    /** Uid of the group that sends the events. A change replaces the subscription. */
    parentUid: parent(),
    /** https URL to which the events are sent. A change replaces the subscription. */
    sink: text(httpsUrl),
  }),
  // The platform would accept a second subscription with the same sink, and send every event twice
  // (docs/decisions/0029-keys-of-kinds-without-a-name.md).
  naturalKey: ["sink"],
  filters: {},
  // The owner of the sink sees the events.
  access: "decides",
  rank: 7,
  withGroup: true,
  // An organisation without subscriptions is normal.
  calls: { update: "none", list: "may be empty", delete: "refuses missing" },
});
