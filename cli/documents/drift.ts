import { z } from "zod";
import { findingSchema } from "../../drift/finding";
import { document } from "./document";

const coverage = z.object({
  kind: z.string(),
  group: z.string().describe("Path of the group that the objects are in; its uid if unknown."),
  managed: z.number().int().describe("Objects on the platform that a state has."),
  unmanaged: z.number().int().describe("Objects on the platform that no state has."),
  unreadable: z.number().int().describe("Objects in states of which it is not known whether they exist."),
});

/** Where states and the platform differ: `pulumi-platform drift --json`. */
export const driftDocument = document("drift", "Where states and the platform differ: pulumi-platform drift --json.", {
  root: z
    .object({ uid: z.string(), path: z.string().optional() })
    .describe("The group that was compared, with everything below."),
  findings: z.array(findingSchema).describe("What matters most comes first."),
  ignored: z
    .array(z.object({ ...findingSchema.shape, owner: z.string(), reason: z.string(), expiry: z.string() }))
    .describe("Findings that the ignore file hides."),
  coverage: z.array(coverage.omit({ group: true })).describe("By kind."),
  groups: z.array(coverage).describe("By group and kind."),
  notes: z.array(z.string()).describe("Further notes: expired entries of the ignore file, objects that were not compared."),
  requests: z.number().int().describe("Requests to the platform, all reads."),
});

/** A document of {@link driftDocument}. */
export type DriftDocument = z.infer<typeof driftDocument>;
