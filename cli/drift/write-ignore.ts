import { acceptable, ignoreTemplate } from "../../drift/ignore-template";
import type { Finding } from "../../drift/finding";
import { printable } from "../../provider/client/printable";
import { writeNewText } from "../shell/files";

/**
 * Writes an ignore file for the findings.
 *
 * @returns a note on what to do with it
 * @throws PlatformError `INVALID_INPUT` if the file exists, because somebody may have filled it in
 */
export async function writeIgnoreFile(file: string, findings: readonly Finding[]): Promise<string> {
  const entries = acceptable(findings).length;
  await writeNewText(file, ignoreTemplate(findings));
  const unreadable = findings.filter((each) => each.class === "unreadable").length;
  return (
    `${printable(file)} has ${entries} ${entries === 1 ? "finding" : "findings"}, and accepts none of them yet. ` +
    "Fill in owner, reason and expiry of each entry, delete those to repair, and pass it as --ignore." +
    (unreadable === 0 ? "" : ` ${unreadable} unreadable parts are not in it, because no entry accepts them.`)
  );
}
