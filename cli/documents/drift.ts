import { z } from "zod";
import { coverageSchema } from "../../drift/coverage";
import { findingSchema } from "../../drift/finding";
import { document } from "./document";

/** The output of `pulumi-platform drift --json`. */
export const driftDocument = document("drift", "Where states and the platform differ: pulumi-platform drift --json.", {
  root: z
    .object({ uid: z.string(), path: z.string().optional() })
    .describe("The group that was compared, with everything below."),
  findings: z.array(findingSchema).describe("The most important findings come first."),
  ignored: z
    .array(z.object({ ...findingSchema.shape, owner: z.string(), reason: z.string(), expiry: z.string() }))
    .describe("Findings that the ignore file hides."),
  coverage: z.array(coverageSchema.omit({ group: true })).describe("By kind."),
  groups: z.array(coverageSchema).describe("By group and kind."),
  notes: z.array(z.string()).describe("Further notes: expired entries of the ignore file, objects that were not compared."),
  requests: z.number().int().describe("Requests to the platform, all reads."),
});

/** A document of {@link driftDocument}. */
export type DriftDocument = z.infer<typeof driftDocument>;
