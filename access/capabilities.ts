/**
 * The levels of a role, by the most that its holder can do, highest first:
 * - `control`: decide who has access, by changing logins, roles or role bindings. Holders can make themselves owners.
 * - `unknown`: the role cannot be read, so it may allow anything.
 * - `grant`: give one's own access to others, or take away theirs.
 * - `write`, `read`: change or see objects other than access.
 * - `none`: the role has no capabilities.
 */
export type Level = "control" | "unknown" | "grant" | "write" | "read" | "none";

/** The holder of any of these capabilities decides who has access. */
const controlling = new Set(
  [
    ...["IAM_IDENTITY_UPDATE", "IAM_ROLES_UPDATE", "IAM_ROLE_BINDINGS_UPDATE", "IAM_SCIM_MANAGE", "INTERNAL"],
    ...["IAM_IDENTITY_PROVIDERS_CREATE", "IAM_IDENTITY_PROVIDERS_UPDATE"],
    ...["IAM_ACCOUNT_ASSOCIATIONS_CREATE", "IAM_ACCOUNT_ASSOCIATIONS_UPDATE"],
  ].map((name) => `CAP_${name}`),
);

/** Capabilities that only read. */
const reading = /_(?:LIST|GET|READ)$/;

/**
 * True if the capability lets its holder change something. An unknown capability is taken to change something unless its name says that it
 * reads.
 */
export function isChanging(capability: string): boolean {
  return !reading.test(capability);
}

/** The level of a role with these capabilities; `undefined` stands for a role that cannot be read. */
export function levelOf(capabilities: readonly string[] | undefined): Level {
  if (capabilities === undefined) return "unknown";
  if (capabilities.some((name) => controlling.has(name))) return "control";
  const changing = capabilities.filter(isChanging);
  if (changing.some((name) => name.startsWith("CAP_IAM_"))) return "grant";
  if (changing.length > 0) return "write";
  return capabilities.length > 0 ? "read" : "none";
}

/** True for a level that may be control. A gate must not pass an unreadable role. */
export function mayControl(level: Level): boolean {
  return level === "control" || level === "unknown";
}
