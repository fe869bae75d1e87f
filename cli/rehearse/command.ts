import { Option } from "commander";
import { command, jsonOption } from "../shell/command";
import { exitCode } from "../shell/exit-codes";
import { withProgress } from "../shell/progress";
import { type Gate, gates } from "../review/gate";
import { endRehearsal } from "./end";
import { engineCommand, type EngineOptions, withEngineOptions } from "./engine-options";
import { hoursIn, ledgerDocumentOf, removeLedger, saveLedger } from "./ledger-file";
import { comparedWith, isOther, readEarlier, verifyFiles } from "./like";
import { type Format, printRehearsal } from "./output";
import { interruptible } from "../shell/interrupted";
import { rehearsalOf } from "./rehearsal";

interface Options extends EngineOptions {
  stack?: string;
  as?: string;
  format: Format;
  json?: boolean;
  failOn?: Gate;
  sandbox: boolean;
  like?: string;
  save?: string;
  expires: string;
  saveAnyway?: boolean;
}

/** Does an update on a copy of the organisation and of the stack, and says who gains and who loses access. */
export const rehearse = withEngineOptions(
  command("rehearse", {
    summary: "who gains and who loses access by an update, which is done on a copy",
    description:
      "Copies the organisation and the stack to this machine, does the update of the program in this folder on the copy with `pulumi up`,\n" +
      "and says who gains and who loses access, the worst change first, and the errors with which the update ends. From the platform it\n" +
      "only reads, with address and credentials from the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on). The program gets none.",
    examples: [
      ["rehearse --stack live", "rehearses `pulumi up` of the program in this folder"],
      [
        "rehearse --stack live --refresh --fail-on high",
        "for a gate: exits with 7 on a high or critical change, or if the update fails",
      ],
      ["rehearse --stack live --as acme/writer", "as the identity that will run the update"],
      ["rehearse --stack live --save rehearsal.json", "also writes the calls that may give access"],
      ["rehearse --stack live --like reviewed.json", "after a merge: exits with 7 if it is not as reviewed"],
    ],
    exitCodes: {
      [exitCode.failed]: "failed, or the update will fail",
      [exitCode.findings]:
        "with --fail-on: there is a change of that severity or worse, or the update will fail; with --like: it differs from the file",
      [exitCode.undecided]:
        "with --fail-on: no such change is certain, but not everything could be rehearsed; standard error says why",
    },
  }),
)
  .option("--stack <STACK>", "the stack to rehearse (default: the selected one)")
  .option("--as <IDENTITY>", "rehearse as this identity, which will run `pulumi up` (uid, path or login, as for access)")
  .addOption(new Option("--format <FORMAT>", "the form of the result").choices(["text", "markdown", "json"]).default("text"))
  .addOption(jsonOption("rehearse"))
  .addOption(new Option("--fail-on <SEVERITY>", "exit with 7 on a change of this severity or worse").choices(gates))
  .option("--no-sandbox", "let the program reach the network; the result says so")
  .option("--like <FILE>", "compare with the file of --save of an earlier rehearsal, and exit with 7 if this one differs")
  .option("--save <FILE>", "write the calls that may give access to this file: schemas/ledger.schema.json")
  .option("--expires <HOURS>", "the hours for which the file of --save is valid", "24")
  .option("--save-anyway", "write the file of --save even if the update fails or not everything could be rehearsed")
  .action(async (given: Options) => {
    const hours = hoursIn(given.expires);
    verifyFiles(given);
    const earlier = given.like === undefined ? undefined : await readEarlier(given.like);
    if (given.save !== undefined) removeLedger(given.save);
    const found = await interruptible((signal) =>
      withProgress((progress) =>
        rehearsalOf({ ...given, command: engineCommand(given), isOpen: !given.sandbox, signal }, progress),
      ),
    );
    const ledger = ledgerDocumentOf(found, hours);
    const isSaved = given.save !== undefined && saveLedger(given.save, ledger, given.saveAnyway === true);
    const like = earlier && comparedWith(earlier, ledger);
    const shown = { ...found, like, ...(given.save !== undefined && { ledger: { file: given.save, isSaved } }) };
    printRehearsal(shown, given.json === true ? "json" : given.format);
    endRehearsal(found, { gate: given.failOn, isOther: like !== undefined && isOther(like) });
  });
