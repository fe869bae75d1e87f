import type { Run } from "../run/run";
import type { Checked } from "./checked";
import { warnOfUnknownNames } from "./enum-names";
import { warnOfExpiryOfNew } from "./expiry";
import { warnOfInertClaims } from "./inert-claims";
import { warnOfMovingKeys } from "./moving-keys";
import { warnOfOpenLogins } from "./open-logins";
import { warnOfUnanchored } from "./unanchored";

/** Tells the user about valid inputs. */
export type Hint = (checked: Checked, run: Run) => void;

/** The hints of a check of any kind, in the order in which a user reads them. A new one is a line here. */
export const hints: readonly Hint[] = [
  warnOfExpiryOfNew,
  warnOfUnknownNames,
  warnOfInertClaims,
  warnOfUnanchored,
  warnOfOpenLogins,
  warnOfMovingKeys,
];
