import { z } from "zod";
import { document } from "./document";
import { reviewDocument } from "./review";

const uncertain = z.object({ what: z.string(), reason: z.string() });

const call = z.object({
  verb: z.enum(["create", "update", "delete"]),
  kind: z.string().describe("Published name of its kind: iam:RoleBinding."),
  at: z.string().describe("Path of the parent for a create, otherwise of the object; its uid if the path is not known."),
  isDone: z.boolean().describe("False if the copy has refused the call."),
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
      })
      .describe("The run of the update on the copy."),
  },
);

/** A document of {@link rehearseDocument}. */
export type RehearseDocument = z.infer<typeof rehearseDocument>;
