import { z } from "zod";
import { document } from "./document";
import { ledgerCall, ledgerObject } from "./ledger";
import { reviewDocument } from "./review";

const uncertain = z.object({ what: z.string(), reason: z.string() });

const call = z.object({
  verb: z.enum(["create", "update", "delete"]),
  kind: z.string().describe("Published name of its kind: iam:RoleBinding."),
  at: z.string().describe("Path of the parent for a create, otherwise of the object; its uid if the path is not known."),
  isDone: z.boolean().describe("False if the copy has refused the call."),
});

const like = z.object({
  file: z.string(),
  made: z.string().describe("When the rehearsal of the file ended, RFC 3339."),
  commit: z.string().optional().describe("The commit of the rehearsal of the file."),
  differs: z.boolean().describe("Whether any of the following lists has an entry. The command then exits with 7."),
  callsThen: z.array(ledgerCall).describe("Calls that may give access and are in the file alone."),
  callsNow: z.array(ledgerCall).describe("Calls that may give access and are not in the file."),
  objects: z
    .array(z.object({ kind: z.string(), path: z.string(), then: z.array(ledgerObject), now: z.array(ledgerObject) }))
    .describe("Objects that have changed since: each before its update and, if that changes it, afterwards."),
  facts: z
    .array(z.object({ what: z.string(), then: z.string().optional(), now: z.string().optional() }))
    .describe("Another command, stack, platform or identity, and each error and undecided fact of one of the two alone."),
});

const { version: _, ...members } = reviewDocument.shape;

/** The output of `pulumi-platform rehearse --json`. */
export const rehearseDocument = document(
  "rehearse",
  "Who gains and who loses access by an update, which was done on a copy: pulumi-platform rehearse --json. Has the members of the document of review.",
  {
    ...members,
    undecided: z
      .array(uncertain)
      .describe(
        "Facts that the rehearsal could not show, so the update may differ. With --fail-on, the command exits with 8 unless it exits with 7.",
      ),
    unknown: z.array(uncertain).describe("All of `undecided`."),
    assumed: z.array(uncertain).describe("Always empty: a rehearsal assumes nothing."),
    errors: z
      .array(z.string())
      .describe("Errors with which the update ends. `changes` are then the changes that it makes before it ends."),
    rehearsal: z
      .object({
        command: z.string().describe("The command that was rehearsed: pulumi up --refresh."),
        exitCode: z.number().int().describe("With which it ended."),
        isSandboxed: z.boolean().describe("Whether the program could reach nothing but the copy."),
        calls: z.array(call).describe("The changes that the copy was asked for, in order."),
        ledger: z.string().optional().describe("The file that --save has written. Absent if none was written."),
        like: like.optional().describe("The comparison with the file of --like. Absent without that option."),
      })
      .describe("The run of the update on the copy."),
  },
);

/** A document of {@link rehearseDocument}. */
export type RehearseDocument = z.infer<typeof rehearseDocument>;
