import type { Snapshot } from "../access/snapshot";
import type { Severity } from "../access/severity";

/** A group in a report. */
export interface ReportGroup {
  readonly uid: string;
  readonly name: string;
  readonly description?: string;
}

/** An identity, or any other holder of a role. */
export interface ReportHolder {
  readonly uid: string;
  /** In words: `identity`, `external group`, `account`. */
  readonly kind: string;
  readonly name: string;
  /** How it logs in, in words: `GitHub acme/shop, branch main`. */
  readonly login: string;
}

/** A role that someone has in a group and in every group below. */
export interface ReportGrant {
  /** Uid of the role binding or mapping that grants it. */
  readonly uid: string;
  /** Uid of the group. */
  readonly place: string;
  readonly holder: string;
  readonly role: string;
  readonly severity: Severity;
}

/** A difference between the declarations and the platform. */
export interface ReportFinding {
  readonly class: string;
  readonly severity: Severity;
  readonly kind: string;
  readonly uid: string;
  readonly path: string;
  readonly message: string;
}

/** All data of the page, embedded as JSON. */
export interface ReportData {
  /** Path of the organisation or group that the report is about. */
  readonly title: string;
  /** Uid of that group. */
  readonly root: string;
  /** When it was read, as RFC 3339. */
  readonly readAt: string;
  readonly groups: readonly ReportGroup[];
  readonly holders: readonly ReportHolder[];
  /** The number of identities among the holders. The other holders are groups at identity providers, accounts, and invited people. */
  readonly identities: number;
  /** Names of roles by uid. */
  readonly roles: Readonly<Record<string, string>>;
  /** Paths of the groups above by uid. Roles granted there hold here too. */
  readonly above: Readonly<Record<string, string>>;
  readonly grants: readonly ReportGrant[];
  /** Absent if the report was made without a state to compare with. */
  readonly findings?: readonly ReportFinding[];
  /** Notes on parts that were not compared with the states. Default: none. */
  readonly notes?: readonly string[];
  readonly unreadable: Snapshot["unreadable"];
  /** Parts that were not read, with the owner of each accepted gap. Default: none. */
  readonly gaps?: readonly string[];
}
