import { parentOf } from "../client/uid";
import { type Capability, knownCapabilities } from "../schema/capabilities";
import type { Wire } from "../schema/declaration";
import { declare } from "../schema/declare";
import { createTime, description, detail, enumInput, name, parent, setOf, time } from "../schema/fields";
import { someText } from "../schema/inputs";
import { inGroup } from "../schema/references";

export type { Capability } from "../schema/capabilities";

const capability = someText.refine((value) => /^CAP_[A-Z0-9_]+$/.test(value), {
  error: 'must be the name of a capability, such as "CAP_REPO_LIST"',
});

/** The names of built-in roles (docs/platform-api.md#built-in-roles). */
export const builtInRole =
  /^(owner|editor|viewer|limited_owner|console_viewer|registry\.(pull|pull_token_creator)|apk\.pull|libraries\.[a-z]+\.(pull|pull_token_creator)|guardener\.(user|admin))$/;

/** True for the uid of a built-in role, which is in no group (docs/platform-api.md#roles). */
export function isBuiltIn(uid: string): boolean {
  return parentOf(uid) === undefined;
}

/**
 * Why the name `text`, which no visible built-in role has, may still mean a built-in role that is hidden from these credentials. A custom
 * role of that name must not take its place. Undefined if it means no built-in role. If all of them are hidden, it may be one newer than
 * this package.
 *
 * @param visible every role that the List shows
 * @param argument the argument that takes a uid instead
 */
export function hiddenBuiltIn(text: string, visible: readonly { uid: string }[], argument: string): string | undefined {
  const showsBuiltIn = visible.some(({ uid }) => isBuiltIn(uid));
  if (showsBuiltIn && !builtInRole.test(text)) return undefined;
  return `the platform shows these credentials no built-in role${showsBuiltIn ? " of that name" : ""}. Pass the uid of the role as ${argument}.`;
}

/** A role, which is a named set of capabilities. Built-in roles can only be read (docs/platform-api.md#roles). */
export const role = declare({
  name: "Role",
  address: { noun: "role", area: "iam", segment: "roles", capabilities: "IAM_ROLES" },
  fields: inGroup({
    /** Uid of the group that the role is in; not set for a built-in role. A change replaces the role. */
    parentUid: parent(),
    /** Any text without control characters. Default: the logical name. */
    name: name(),
    /** Purpose of the role, on one line. Default: none. */
    description: description(),
    /** Capabilities of the role, as one or more names such as `CAP_REPO_LIST`, in any order. */
    capabilities: setOf(enumInput<Capability>("CAP_", knownCapabilities, capability)),
    /** When the role was created, RFC 3339. */
    createTime: createTime(),
    /** When the role last changed, RFC 3339. */
    updateTime: detail(time()),
  }),
  naturalKey: ["name"],
  filters: {
    /** Only roles with this name, exactly. */
    name: "name",
  },
  isPreferred: isBuiltIn,
  // Built-in roles belong to no organisation, and an organisation without custom roles is normal.
  calls: { list: "may be empty", delete: "refuses missing" },
  access: "decides",
  rank: 1,
  withGroup: true,
});

/** A role as the platform returns it. */
export type WireRole = Wire<(typeof role)["fields"]>;
