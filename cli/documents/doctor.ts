import { z } from "zod";
import { document } from "./document";

const finding = z.object({
  check: z.string().describe("The check: configuration, credentials, clock and so on. More checks may be added."),
  status: z.enum(["ok", "warning", "problem"]),
  message: z.string().describe("The finding."),
  capabilities: z
    .array(z.string())
    .optional()
    .describe("The capabilities of these credentials at the organisation's root, from the check `rights`."),
  fix: z.string().optional().describe("The way to correct it. Absent if there is nothing to do, or if the message says it."),
});

/** The output of `pulumi-platform doctor --json`. */
export const doctorDocument = document(
  "doctor",
  "Problems that keep programs from working here, and the ways out: pulumi-platform doctor --json.",
  { findings: z.array(finding).describe("In the order of the checks. Later checks are left out if an earlier one failed.") },
);

/** A document of {@link doctorDocument}. */
export type DoctorDocument = z.infer<typeof doctorDocument>;

/** The result of one check. */
export type Finding = DoctorDocument["findings"][number];
