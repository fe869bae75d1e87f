import { z } from "zod";
import { document } from "./document";

const uncertain = z.object({ what: z.string(), reason: z.string() });

/** A call that may give access. */
export const ledgerCall = z.object({
  verb: z.enum(["create", "update"]),
  kind: z.string().describe("Published name of its kind: iam:RoleBinding."),
  uid: z.string().optional().describe("Uid of the object that an update changes. Absent for an object that the rehearsal made."),
  place: z.string().describe("Path of the parent: acme/engineering. People and built-in roles keep their uid everywhere."),
  key: z.record(z.string(), z.unknown()).describe("The inputs that identify the object in its place, references as paths."),
  body: z.record(z.string(), z.unknown()).describe("What was sent, references as paths, without secrets."),
  times: z
    .number()
    .optional()
    .describe("How often it was sent, for objects that the platform makes as often as it is asked for, such as invites."),
});

/** An object that such a call names. */
export const ledgerObject = z.object({
  kind: z.string(),
  uid: z.string().optional().describe("Absent for an object that the rehearsal made."),
  path: z.string().describe("acme/engineering/ci; of the parent for an object without a name."),
  name: z.string().optional(),
  former: z
    .literal(true)
    .optional()
    .describe("Its state before the rehearsal, which has changed or deleted it. Absent for the state afterwards."),
  decides: z.record(z.string(), z.unknown()).describe("Its fields that decide who has access, without secrets."),
});

/** The file of `pulumi-platform rehearse --save FILE`. */
export const ledgerDocument = document(
  "ledger",
  "The file that pulumi-platform rehearse --save FILE writes: the ledger of an update, which is its calls that may give access.",
  {
    organizations: z.array(z.string()).describe("Uids of the organisations that were copied."),
    platform: z.string().describe("Address of the platform that was copied."),
    stack: z.string().describe("The stack, as project/stack."),
    command: z.string().describe("The command that was rehearsed: pulumi up --refresh."),
    arguments: z.array(z.string()).describe("Its arguments: up, --refresh."),
    identity: z
      .string()
      .optional()
      .describe("Uid of the identity that the update was rehearsed as. Absent if it was left to the platform."),
    release: z.string().describe("Version of pulumi-platform that rehearsed it."),
    commit: z
      .string()
      .optional()
      .describe("The commit of the program's folder, with + at the end if files have changed since. Absent without git."),
    since: z
      .string()
      .describe("The platform's time before the organisation was copied, RFC 3339. Groups that the update makes are younger."),
    made: z.string().describe("When the rehearsal ended, RFC 3339."),
    expires: z.string().describe("When it no longer says anything about the platform, RFC 3339."),
    errors: z
      .array(z.string())
      .describe("Errors with which the update ends. Empty unless the file was asked for in spite of them."),
    undecided: z
      .array(uncertain)
      .describe("Facts that the rehearsal could not show. Empty unless the file was asked for in spite of them."),
    calls: z.array(ledgerCall).describe("Every call that gives access or decides about it, each once."),
    objects: z
      .array(ledgerObject)
      .describe("The objects that the calls name, as they were before the rehearsal and, if they differ, after it."),
  },
);

/** A document of {@link ledgerDocument}. */
export type LedgerDocument = z.infer<typeof ledgerDocument>;
