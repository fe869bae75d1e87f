import { describe, type Inputs, type Kind } from "../../schema/kind";
import { openLogins } from "../../schema/login-limits";
import { isAllowed, openInWords } from "../../schema/open-problems";
import type { Run } from "../run/run";

/**
 * Warns of a login that lets in anybody, if no rule rejects it, because the state already has it or because it is the sign-in of an
 * identity provider.
 *
 * @param news the program's arguments, consents included
 */
export function warnOfOpenLogins(kind: Kind, news: Inputs, run: Pick<Run, "notifyOnce">): void {
  for (const open of openLogins(news))
    if (!isAllowed(news, open)) run.notifyOnce(`warning: ${describe(kind, news)}: ${openInWords(open)}`);
}
