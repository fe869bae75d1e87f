import { z } from "zod";
import { document } from "./document";
import { driftDocument } from "./drift";

/** One line of `pulumi-platform watch --json`. */
export const watchDocument = document("watch", "What happened to a finding, a line each: pulumi-platform watch --json.", {
  time: z.iso.datetime().describe("When the check that saw it had ended."),
  event: z
    .enum(["appeared", "changed", "resolved"])
    .describe(
      "appeared: the last check did not have it. changed: other values. resolved: a check that could read everything no longer has it.",
    ),
  finding: driftDocument.shape.findings.element.describe("As drift --json has it."),
});

/** A document of {@link watchDocument}. */
export type WatchDocument = z.infer<typeof watchDocument>;
