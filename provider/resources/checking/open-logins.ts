import { describe } from "../../schema/kind";
import { openLogins } from "../../schema/login-limits";
import { isAllowed, openInWords } from "../../schema/open-problems";
import type { Run } from "../run/run";
import type { Checked } from "./checked";

/**
 * Warns of a login that lets in anybody, if no rule rejects it, because the state already has it or because it is the sign-in of an
 * identity provider.
 */
export function warnOfOpenLogins({ kind, news, given }: Checked, run: Pick<Run, "notify">): void {
  for (const open of openLogins(given))
    if (!isAllowed(given, open)) run.notify(`warning: ${describe(kind, news)}: ${openInWords(open)}`);
}
