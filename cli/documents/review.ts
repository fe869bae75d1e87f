import { z } from "zod";
import { alarms } from "../../access/guarded";
import { severities } from "../../access/severity";
import { document } from "./document";

const uid = z.string().optional().describe("Absent for an object that the update makes.");
const path = z.string().optional().describe("Names from the root of the organisation: acme/engineering/ci.");

const change = z.object({
  effect: z.enum(["gain", "loss"]),
  severity: z.enum(severities),
  identity: z
    .object({
      uid,
      path,
      match: z.string().optional().describe("Who can log in, in words: GitHub acme/shop, branch main."),
      externalGroupId: z.string().optional().describe("The group at the identity provider, for a role that a mapping grants."),
      email: z.string().optional().describe("The only person who can accept an invite."),
    })
    .describe(
      "The holder that gains or loses: an identity, the people of an identity provider, the person who accepts an invite, an account, the address that receives events.",
    ),
  role: z.string().describe("Name of the role, or `role <uid>, unknown`; `events` with a subscription."),
  withoutHolder: z
    .literal(true)
    .optional()
    .describe("A role that allows more, but has no known holder: `identity` is empty, and `at` is the group of the role."),
  at: z.object({ uid, path }).describe("The highest group in which it changes."),
  inheritedFrom: z.object({ uid, path }).optional().describe("The group above in which the role is given, if it is another one."),
  reach: z.number().int().describe("Number of groups below `at` in which it changes too."),
  through: z
    .object({ kind: z.string().describe("roleBinding, login, role, groupInvite, subscription and so on."), uid })
    .describe(
      "The object that gives the access. `login` and `role`: the binding stays, but the login or the role that it names changes.",
    ),
  capabilities: z.array(z.string()).optional().describe("The part of the role that is gained or lost, if not the whole."),
  coveredBy: z
    .string()
    .optional()
    .describe(
      "Another role, or several joined by and, that gives the holder the same access, so nothing is really gained or lost.",
    ),
  alarms: z
    .array(z.enum(alarms))
    .optional()
    .describe(
      "Why a loss is critical: the run's own access, a break-glass identity, the last control, control of the root; lastOwner is high.",
    ),
  urn: z.string().optional().describe("The resource that causes the change."),
  message: z.string().describe("The change in words."),
});

const uncertain = { what: z.string().describe("`create group shop`."), reason: z.string() };

const rights = z.object({
  caller: z
    .object({ uid, path })
    .optional()
    .describe("The identity whose rights were checked. Absent if nothing says as which identity `pulumi up` runs."),
  by: z.string().describe("The source that names the identity: `--as`, `platform:identity`, `these credentials`."),
  calls: z.number().int().describe("Number of calls of the update that the preview shows."),
  refused: z
    .array(
      z.object({
        ...uncertain,
        capabilities: z.array(z.string()).describe("Capabilities that the caller lacks."),
        at: z.object({ uid, path }).describe("The place in which it needs them, there or above."),
        urn: z.string().optional(),
      }),
    )
    .describe("Calls that the platform will refuse. With --as and --fail-on, the command exits with 7 if there is one."),
  unchecked: z
    .array(z.object(uncertain))
    .describe("Calls that the platform may refuse or accept, and why. They change no exit code."),
});

/** The output of `pulumi-platform review --json`. */
export const reviewDocument = document("review", "Who gains and who loses access by an update: pulumi-platform review --json.", {
  changes: z.array(change).describe("The most important changes come first."),
  renames: z
    .array(z.object({ kind: z.string(), how: z.enum(["renamed", "moved"]), uid, before: z.string(), after: z.string() }))
    .describe("Objects with another name or place. They are still the same objects, and change no access by themselves."),
  undecided: z
    .array(z.object({ what: z.string(), reason: z.string() }))
    .describe(
      "Facts that may be any change, with the reason and the way out. With --fail-on, the command exits with 8 unless it exits with 7.",
    ),
  unknown: z
    .array(z.object({ what: z.string(), reason: z.string() }))
    .describe("Facts that the preview does not show: all of `undecided`, and more."),
  assumed: z
    .array(z.object({ what: z.string(), reason: z.string() }))
    .describe(
      "References known only after the update, and assumed to be the uid of the only resource they depend on. A function of the program could return another uid. Empty with --strict, which lists them in `unknown`.",
    ),
  warnings: z.array(
    z.object({
      message: z.string(),
      urn: z.string().optional(),
      failsUpdate: z
        .literal(true)
        .optional()
        .describe("The update certainly fails there, half done. With --fail-on, the command then exits with 7."),
    }),
  ),
  rights: rights
    .optional()
    .describe("Whether the identity that will run the update may make its calls. Absent if the platform was not asked."),
  errors: z
    .array(z.string())
    .describe("Errors of a failed preview, with which the command exits with 1. Empty if the preview passed."),
  bounds: z
    .enum(["exact", "lower"])
    .describe(
      "lower: there may be more changes than are listed. exact: there are no others, if the assumptions in `assumed` hold.",
    ),
});

/** A document of {@link reviewDocument}. */
export type ReviewDocument = z.infer<typeof reviewDocument>;
