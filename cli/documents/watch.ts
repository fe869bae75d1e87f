import { z } from "zod";
import { document } from "./document";
import { driftDocument } from "./drift";

/** One line of `pulumi-platform watch --json`. */
export const watchDocument = document("watch", "Events of findings, one a line: pulumi-platform watch --json.", {
  time: z.iso.datetime().describe("The end of the check that saw it."),
  event: z
    .enum(["appeared", "changed", "resolved"])
    .describe("appeared: the last check did not find it. changed: other values. resolved: a complete check no longer finds it."),
  finding: driftDocument.shape.findings.element.describe("As in drift --json."),
});

/** A document of {@link watchDocument}. */
export type WatchDocument = z.infer<typeof watchDocument>;
