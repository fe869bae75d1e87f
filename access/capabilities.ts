/**
 * What a role lets its holder do, from the most:
 * - `control`: decide who has access: change how others log in, what roles hold, who has which role. Holders can make themselves owners.
 * - `unknown`: the role cannot be read, so it may be anything.
 * - `grant`: give access of one's own to others, or take theirs away.
 * - `write`, `read`: change or see what is not access.
 * - `none`: a role without capabilities.
 */
export type Level = "control" | "unknown" | "grant" | "write" | "read" | "none";

/** With one of these, whoever holds a role decides who has access. */
const controlling = new Set(
  [
    ...["IAM_IDENTITY_UPDATE", "IAM_ROLES_UPDATE", "IAM_ROLE_BINDINGS_UPDATE", "IAM_SCIM_MANAGE", "INTERNAL"],
    ...["IAM_IDENTITY_PROVIDERS_CREATE", "IAM_IDENTITY_PROVIDERS_UPDATE"],
    ...["IAM_ACCOUNT_ASSOCIATIONS_CREATE", "IAM_ACCOUNT_ASSOCIATIONS_UPDATE"],
  ].map((name) => `CAP_${name}`),
);

/** Capabilities that only show something. */
const reading = /_(?:LIST|GET|READ)$/;

/** True if the capability lets its holder change something, or is unknown: only names that say that they read are known to. */
export function isChanging(capability: string): boolean {
  return !reading.test(capability);
}

/** What the capabilities of a role let its holder do; `undefined` for a role that cannot be read. */
export function levelOf(capabilities: readonly string[] | undefined): Level {
  if (capabilities === undefined) return "unknown";
  if (capabilities.some((name) => controlling.has(name))) return "control";
  const changing = capabilities.filter(isChanging);
  if (changing.some((name) => name.startsWith("CAP_IAM_"))) return "grant";
  if (changing.length > 0) return "write";
  return capabilities.length > 0 ? "read" : "none";
}

/** True for what may be control: a gate must not let pass a role that cannot be read. */
export function mayControl(level: Level): boolean {
  return level === "control" || level === "unknown";
}
