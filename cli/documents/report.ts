import { z } from "zod";
import { document } from "./document";

/** The output of `pulumi-platform report --json`. */
export const reportDocument = document("report", "What the page holds that was written: pulumi-platform report --json.", {
  file: z.string().describe("The file that was written."),
  groups: z.number().int(),
  identities: z
    .number()
    .int()
    .describe(
      "People who have a role, and workloads. Others who have a role are not counted: groups of identity providers, invited people, accounts.",
    ),
  grants: z.number().int().describe("Roles that someone has in a group."),
  findings: z.number().int().optional().describe("Differences from the states; absent if there was none to compare with."),
  unreadable: z
    .array(z.object({ what: z.string(), reason: z.string() }))
    .describe("What could not be read: the page lacks it, and says so."),
  notes: z
    .array(z.string())
    .optional()
    .describe("Accepted gaps, and what was not compared with the states: encrypted fields, objects elsewhere."),
});

/** A document of {@link reportDocument}. */
export type ReportDocument = z.infer<typeof reportDocument>;
