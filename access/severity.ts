import { type Level, mayControl } from "./capabilities";

/** How much a finding matters, from the most. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;

/** How much a finding matters. */
export type Severity = (typeof severities)[number];

/** For sorting: what matters most comes first. */
export function bySeverity(one: Severity, other: Severity): number {
  return severities.indexOf(one) - severities.indexOf(other);
}

/** What decides how much a change of access matters. */
export interface Weight {
  readonly effect: "gain" | "loss";
  /** What the role, or the part of it that changed, lets its holder do. */
  readonly level: Level;
  /** The group is the root of its organisation. */
  readonly isRoot: boolean;
  /** Number of groups below that are affected too. */
  readonly reach: number;
  /** Anybody can log in: nothing in the login names one customer of its issuer. */
  readonly isAnybody?: boolean;
  /** Who can log in is known after the update only. */
  readonly isUnknown?: boolean;
  /** A loss that is critical whatever it is of: see `alarms` in `guarded.ts`. */
  readonly isAlarming?: boolean;
  /** The holder has all of it by another role on the other side. */
  readonly isCovered?: boolean;
}

/** Control of so many groups counts like control of an organisation. */
const wide = 10;

const gains: Readonly<Record<Level, readonly [usual: Severity, forAnybody: Severity]>> = {
  control: ["high", "critical"],
  unknown: ["high", "critical"],
  grant: ["high", "critical"],
  write: ["medium", "critical"],
  read: ["low", "high"],
  none: ["info", "high"],
};

const losses: Readonly<Record<Level, Severity>> = {
  control: "medium",
  unknown: "medium",
  grant: "low",
  write: "low",
  read: "low",
  none: "info",
};

/**
 * How much a change of access matters. A gain by what it allows, a role that cannot be read like control: control of an
 * organisation, or of many groups, is critical, and so is nearly all access that anybody can get. A loss counts by what may stop
 * working; it is critical if it may lock somebody out who is needed to repair it.
 */
export function severityOf({ effect, level, isRoot, reach, isAnybody, isUnknown, isAlarming, isCovered }: Weight): Severity {
  if (isAnybody === true && effect === "gain" && isCovered !== true) return gains[level][1];
  if (isCovered === true) return "info";
  if (effect === "loss") return isAlarming === true ? "critical" : losses[level];
  const usual = mayControl(level) && (isRoot || reach >= wide) ? "critical" : gains[level][0];
  return isUnknown === true && bySeverity(usual, "high") > 0 ? "high" : usual;
}
