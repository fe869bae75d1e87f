import { isAtOrBelow } from "../client/uid";
import { groupAddress, placesAt } from "../schema/declaration";
import { declare } from "../schema/declare";
import {
  createTime,
  description,
  detail,
  enumeration,
  flag,
  local,
  mapOf,
  name,
  number,
  parent,
  time,
  uidOf,
} from "../schema/fields";
import { filter } from "../schema/filters";
import { groupName } from "../schema/inputs";
import { inGroup } from "../schema/references";

/** Groups as places, with uid and name only. */
export const places = placesAt(groupAddress);

/** A group, which is a node of the organisation's tree (docs/platform-api.md#groups). */
export const group = declare({
  name: "Group",
  address: groupAddress,
  fields: inGroup({
    /** Uid of the group that this one is in; not set for the root of an organisation. A change replaces the group with everything in it. */
    parentUid: parent(),
    /** Lowercase letters, digits, spaces, dots, underscores and hyphens. Default: the logical name. */
    name: name(groupName),
    /** Purpose of the group, on one line. Default: none. */
    description: description(),
    /**
     * Rejects the deletion and the replacement of the group, until an update has set this to false. Kept in state when given, never sent.
     * Default: true for the root of an organisation, else false.
     */
    deletionProtection: local(flag()),
    /**
     * Deletes everything in the group before the group itself, after listing it in the output of the run. It must be true in the
     * state, so set it in an earlier `up`. Never sent. Default: false.
     */
    forceDestroy: local(flag()),
    /** Maximum number of objects of each kind in the organisation; empty for ordinary groups. */
    resourceLimits: detail(mapOf(number())),
    /** Whether the platform has verified the organisation; false below its root. */
    verified: detail(flag()),
    /** Kind of organisation, `ORG_KIND_…`; empty if unknown. */
    kind: detail(enumeration()),
    /** Status of the organisation, `ORG_STATUS_…`; empty if unknown. */
    status: detail(enumeration()),
    /** When the group was created, RFC 3339. */
    createTime: createTime(),
    /** When the group last changed, RFC 3339. */
    updateTime: detail(time()),
  }),
  naturalKey: ["name"],
  filters: {
    /** Only groups with this name, exactly. */
    name: "name",
    /** Only the groups above the one with this uid. */
    ancestorsOf: filter(
      uidOf("group"),
      // Only the platform knows whether a group is its own ancestor.
      (row: { uid: string }, uid) => isAtOrBelow(uid, row.uid),
      "uidp.ancestors_of",
    ),
  },
  access: "none",
  rank: 0,
  withGroup: true,
  calls: { delete: "refuses missing", lookAhead: true },
});
