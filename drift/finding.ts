import { z } from "zod";
import { severities } from "../access/severity";

/** The classes of a finding of drift, as documents name them in `class`. */
export const driftClasses = ["changed", "missing", "unmanaged", "duplicate", "settled", "unreadable"] as const;

const field = z.object({
  path: z.string().describe("The field: claimMatch.subject."),
  declared: z
    .unknown()
    .optional()
    .describe(
      "For changed, its value in the state; absent if it has none. Absent for other classes. Secrets are shown as [secret].",
    ),
  actual: z.unknown().optional().describe("Its value on the platform; absent if it has none. Secrets are shown as [secret]."),
});

/** The members of a finding in documents of the command. */
export const findingSchema = z.object({
  class: z
    .enum(driftClasses)
    .describe(
      "changed: a field differs. missing: it is in a state and not on the platform. unmanaged: it is on the platform and in no state, or " +
        "a state is about to delete it. " +
        "duplicate: two resources manage it, or another object has its natural key. settled: it is gone because it has served its purpose. " +
        "unreadable: it is not known whether there is drift: objects may be hidden, or fields are encrypted.",
    ),
  severity: z.enum(severities),
  kind: z.string().describe("Kind of object: iam:RoleBinding."),
  uid: z.string().describe("Uid of the object; for a kind of which objects may be hidden, of the group."),
  path: z
    .string()
    .describe("Names from the root: acme/engineering/ci; of an object without a name, those of its group. A uid if unknown."),
  stack: z.string().optional().describe("project/stack whose state has the object."),
  urn: z.string().optional(),
  fields: z
    .array(field)
    .optional()
    .describe(
      "For changed: the fields that differ. For unmanaged and duplicate: the fields that decide who has access by the object, as they are " +
        "on the platform; an empty list if none does. Absent for other classes.",
    ),
  uncompared: z
    .number()
    .int()
    .optional()
    .describe(
      "For a kind of which objects may be hidden: how many objects of the states could not be compared. Absent otherwise.",
    ),
  reach: z
    .array(z.object({ uid: z.string(), path: z.string() }))
    .optional()
    .describe(
      "The groups in which somebody has access through the object, each with everything below. Absent if nobody has, or for unreadable.",
    ),
  unwatched: z
    .literal(true)
    .optional()
    .describe(
      "An identity in no state that managed role bindings name, and whose login can change unseen: only an entry for this object hides it.",
    ),
  message: z.string().describe("The finding in words."),
  known: z.literal(true).optional().describe("The baseline has it, so it does not count for the exit code."),
});

/** One finding: a difference between states and the platform. */
export type Finding = z.infer<typeof findingSchema>;
