import { causeOf, codeOf, hasCode, PlatformError, type PlatformErrorCode } from "../../client/errors";
import { groupText } from "../../client/known-paths";
import { list, options } from "../../client/printable";
import type { Caller } from "../../client/token-source";
import { identity } from "../../kinds/identity";
import { isKind } from "../../schema/kind";
import type { Loss } from "./access-loss";
import { type Removal, textOf, type Update } from "./change";

/** Answers to a caller without the right to read. Any other error may be transient. */
export const lasting: PlatformErrorCode[] = ["PERMISSION_DENIED", "NOT_FOUND", "UNIMPLEMENTED", "INVALID_INPUT"];

/** The error of a change that ends access. @param cause the error if the access could not be read */
export function rejection(change: Update | Removal, ends: string, cause: unknown, outcome: string): PlatformError {
  const what = textOf(change);
  const why = cause === undefined ? ends : `${ends} (${causeOf(cause)})`;
  if (cause !== undefined && !hasCode(cause, ...lasting))
    return new PlatformError(codeOf(cause), `${what}: ${why}. ${outcome} Run again once it can be read.`, { cause });
  const message = `${what}: this would end access that this run needs: ${why}. ${outcome}${options(waysOut(change))}`;
  return new PlatformError("SELF_LOCKOUT", message, { cause });
}

function waysOut({ is, kind }: Update | Removal): string[] {
  return [
    "Use another identity.",
    ...(isKind(kind, identity) ? [] : ["Give this identity the same access by another role binding first."]),
    ...(is === "update"
      ? []
      : [
          "Set `retainOnDelete` on it and run `pulumi up` before it is removed.",
          "In a destroy, use `pulumi destroy --exclude <urn>`, or `dependsOn` it in the rest of the program, so that the rest is deleted first.",
        ]),
    "If nothing else needs this access, set PLATFORM_ALLOW_SELF_LOCKOUT=true to send it anyway.",
  ];
}

/** Why the loss ends access of the caller. */
export function ending(caller: Caller, { place, capabilities }: Loss): string {
  const telling = capabilities.find((name) => /^CAP_IAM_.*_(CREATE|UPDATE|DELETE)$/.test(name)) ?? capabilities[0] ?? "";
  const what = capabilities.length > 3 ? `${capabilities.length} capabilities, such as ${telling},` : list(capabilities);
  return `no other role binding grants the identity of this run (${caller.uid}) ${what} in ${groupText(place)}`;
}
