import { z } from "zod";
import { document } from "./document";

const sign = z.object({
  of: z
    .enum(["object", "place", "list", "right"])
    .describe(
      "The request: for the object, the groups around it, the Lists of its kind, or the objects that these credentials may list.",
    ),
  agrees: z.boolean().describe("Whether it agrees that the object is gone."),
  text: z.string().describe("A sentence."),
});

const object = z.object({
  kind: z.string().describe("iam:Identity and so on."),
  uid: z.string(),
  isGone: z.boolean().describe("Whether every sign agrees."),
  signs: z.array(sign).describe("In the order in which the platform was asked. One, if the object exists."),
});

const resource = z.object({
  urn: z.string(),
  objects: z.array(object).describe("The objects of the resource, of which a GroupAccess has several."),
  isGone: z.boolean().describe("Whether all its objects are gone."),
});

/** The output of `pulumi-platform forget --json`. */
export const forgetDocument = document(
  "forget",
  "Resources of a state, the signs that what they manage is gone, and what was removed: pulumi-platform forget --json.",
  {
    stack: z.string(),
    resources: z.array(resource).describe("In the order of removal, dependents first."),
    removed: z.array(z.string()).describe("URNs that were removed from the state. Empty without --yes, or if a sign is missing."),
    problems: z.array(z.string()).describe("Why nothing was removed, or not all. Empty if everything was."),
  },
);

/** A document of {@link forgetDocument}. */
export type ForgetDocument = z.infer<typeof forgetDocument>;
