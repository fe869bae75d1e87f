import { z } from "zod";
import { document } from "./document";

const finding = z.object({
  check: z.string().describe("What was checked: configuration, credentials, clock and so on. More checks may be added."),
  status: z.enum(["ok", "warning", "problem"]),
  message: z.string().describe("What was found."),
  capabilities: z
    .array(z.string())
    .optional()
    .describe("What these credentials may do at the organisation's root: of the check rights."),
  fix: z.string().optional().describe("What to do; absent if there is nothing to do, or if the message says it."),
});

/** The output of `pulumi-platform doctor --json`. */
export const doctorDocument = document(
  "doctor",
  "What keeps programs from working here, and what to do about it: pulumi-platform doctor --json.",
  { findings: z.array(finding).describe("In the order of the checks; later checks are left out where an earlier one failed.") },
);

/** A document of {@link doctorDocument}. */
export type DoctorDocument = z.infer<typeof doctorDocument>;

/** The result of one check. */
export type Finding = DoctorDocument["findings"][number];
