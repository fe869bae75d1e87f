import { z } from "zod";
import { document } from "./document";

/** The output of `pulumi-platform report --json`. */
export const reportDocument = document("report", "A summary of the written page: pulumi-platform report --json.", {
  file: z.string().describe("The file that was written."),
  groups: z.number().int(),
  identities: z
    .number()
    .int()
    .describe(
      "People and workloads with a role. Other holders are not counted: groups of identity providers, invited people, accounts.",
    ),
  grants: z.number().int().describe("Roles that someone has in a group."),
  findings: z.number().int().optional().describe("Differences from the states; absent if there was none to compare with."),
  unreadable: z
    .array(z.object({ what: z.string(), reason: z.string() }))
    .describe("Parts that could not be read. The page lacks them, and says so."),
  notes: z
    .array(z.string())
    .optional()
    .describe("Accepted gaps, and the parts that were not compared with the states: encrypted fields, objects elsewhere."),
});

/** A document of {@link reportDocument}. */
export type ReportDocument = z.infer<typeof reportDocument>;
