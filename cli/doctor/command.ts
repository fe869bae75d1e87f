import { styleText } from "node:util";
import { previewCommand } from "../../preview/file";
import { printable } from "../../provider/client/printable";
import type { DoctorDocument, Finding } from "../documents/doctor";
import { printDocument } from "../documents/document";
import { command, jsonOption } from "../shell/command";
import { exitCode } from "../shell/exit-codes";
import { settingsText, stackOption } from "../shell/settings";
import { examine } from "./examine";
import { toolFindings } from "./tools";

/** Finds obstacles to running programs, and says how to remove them. */
export const doctor = command("doctor", {
  summary: "what keeps programs from working here, and what to do about it",
  description:
    "Checks the configuration, the credentials, the clock, the API, the organisation, the rights of the identity and the tools.\n" +
    "With a stack, also whether the rights suffice for the objects in its state. Only reads; never prints a token.\n" +
    settingsText,
  examples: [
    ["doctor", "by the variables of this shell"],
    ["doctor --stack prod", "as a run of the stack prod, and whether its roles suffice"],
    ["doctor --stack prod --preview preview.json", "whether they suffice for the update in a preview"],
    ["doctor --json", "for programs"],
  ],
  exitCodes: { [exitCode.ok]: "no problem; there may be warnings", [exitCode.failed]: "there is a problem" },
})
  .addOption(stackOption())
  .option("--preview <FILE>", `what \`${previewCommand}\` has written: compare its calls with the rights; - for standard input`)
  .addOption(jsonOption("doctor"))
  .action(async ({ stack, preview, json }: { stack?: string; preview?: string; json?: true }) => {
    // On a Node.js that is too old for the package, no command reaches this line.
    const node: Finding = { check: "Node.js", status: "ok", message: `Version ${process.versions.node}.` };
    const findings = [node, ...(await toolFindings())];
    await examine(stack, findings, preview);
    if (json) printDocument<DoctorDocument>({ findings });
    else process.stdout.write(findings.map(line).join(""));
    if (findings.some(({ status }) => status === "problem")) process.exitCode = exitCode.failed;
  });

const marks = {
  ok: styleText("green", "ok     "),
  warning: styleText("yellow", "warning"),
  problem: styleText("red", "problem"),
};

function line({ check, status, message, fix }: Finding): string {
  const text = `${marks[status]}  ${check}: ${printable(message)}\n`;
  return fix === undefined ? text : `${text}         fix: ${printable(fix).replaceAll("\n", "\n         ")}\n`;
}
