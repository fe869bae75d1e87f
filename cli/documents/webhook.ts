import { z } from "zod";
import { document } from "./document";
import { watchDocument } from "./watch";

const { time, event, finding } = watchDocument.shape;

/** The body of a delivery of `pulumi-platform watch --webhook`. */
export const webhookDocument = document("webhook", "A delivery of changes: pulumi-platform watch --webhook.", {
  time,
  changes: z
    .array(z.object({ event, finding }))
    .describe("The oldest first, including events of earlier checks that were not accepted."),
});

/** A document of {@link webhookDocument}. */
export type WebhookDocument = z.infer<typeof webhookDocument>;
