import { type Level, mayControl } from "./capabilities";
import type { Alarm } from "./guarded";

/** How much a finding matters, highest first. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;

/** How much a finding matters. */
export type Severity = (typeof severities)[number];

/** Compares for sorting, highest first. */
export function bySeverity(one: Severity, other: Severity): number {
  return severities.indexOf(one) - severities.indexOf(other);
}

/** The facts that decide how much a change of access matters. */
export interface Weight {
  readonly effect: "gain" | "loss";
  /** The level of the role, or of the part of the role that changed. */
  readonly level: Level;
  /** True if the group is the root of its organisation. */
  readonly isRoot: boolean;
  /** Number of groups below that are affected too. */
  readonly reach: number;
  /** True if anybody can log in, because the login names no single customer of its issuer. */
  readonly isAnybody?: boolean;
  /** True if the update decides who can log in. */
  readonly isUnknown?: boolean;
  /** Why a loss ranks higher than its role. Default: nothing. */
  readonly alarms?: readonly Alarm[];
  /** True if another role gives the holder the same on the other side. */
  readonly isCovered?: boolean;
}

/** Control of at least this many groups is as severe as control of an organisation. */
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
 * How much a change of access matters. A gain is weighed by the level of the role, and an unreadable role like control. Control of an
 * organisation or of many groups is critical, and so is nearly all access that anybody can get. A loss is weighed by what may stop working.
 * It is critical if it may lock out somebody who is needed to repair it.
 */
export function severityOf({ effect, level, isRoot, reach, isAnybody, isUnknown, alarms = [], isCovered }: Weight): Severity {
  if (isAnybody === true && effect === "gain" && isCovered !== true) return gains[level][1];
  if (isCovered === true) return "info";
  if (effect === "loss") return lossSeverity(level, alarms);
  const usual = mayControl(level) && (isRoot || reach >= wide) ? "critical" : gains[level][0];
  return isUnknown === true && bySeverity(usual, "high") > 0 ? "high" : usual;
}

function lossSeverity(level: Level, alarms: readonly Alarm[]): Severity {
  if (alarms.length === 0) return losses[level];
  return alarms.every((each) => each === "lastOwner") ? "high" : "critical";
}
