import { z } from "zod";
import { document } from "./document";

/** An object by its uid and its path, if the path is known. */
const located = z
  .object({
    uid: z.string(),
    path: z.string().optional().describe("Names from the root of the organisation: acme/engineering/ci."),
  })
  .meta({ description: "An object by its uid and, where every name on the way is known, its path." });

/** A part that could not be read. */
const unreadable = z.object({
  what: z.string().describe("The part that could not be read: role bindings in acme (<uid>)."),
  reason: z.string().describe("Why."),
});

const grant = z.object({
  identity: z
    .object({
      ...located.partial().shape,
      login: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          "How they log in, by the platform's names: { claimMatch: { issuer, subject } }; at an identity provider { oidc: { issuer } }.",
        ),
      verifiedEmail: z.string().optional().describe("A person's address, as far as the platform has verified it."),
      isUnseen: z
        .literal(true)
        .optional()
        .describe("A person who has not signed up, or whom these credentials do not see. Only the uid is known."),
      externalGroupId: z.string().optional().describe("The group at the identity provider, for a role that a mapping grants."),
      identityProviderUid: z.string().optional().describe("For a role that a mapping or a default role grants."),
      identityProviderPath: z.string().optional(),
      email: z.string().optional().describe("The only person who can accept an invite. Absent: anybody with its code can."),
      account: z.string().optional().describe("For an account association: AWS account 123456789012."),
    })
    .describe("The holder of the role, or who can take it up. With `uid`: an identity. For others, `through` says the kind."),
  role: z.object({
    uid: z.string().describe("`account association` for the rights of an account, for which the platform names no role."),
    name: z.string().optional(),
    capabilities: z.array(z.string()).optional().describe("Absent if the role cannot be read."),
  }),
  at: located.describe("The group to which the role applies."),
  inheritedFrom: located
    .optional()
    .describe("The group above in which the role is granted; absent if it is granted in `at` itself."),
  through: z
    .object({
      kind: z.enum(["roleBinding", "externalGroupRoleMapping", "identityProvider", "groupInvite", "accountAssociation"]),
      uid: z.string(),
    })
    .describe(
      "The object that grants the role. An identity provider grants its default role to people who sign in for the first time.",
    ),
});

/** The output of `pulumi-platform access --json`. */
export const accessDocument = document("access", "Who can do what, and through what: pulumi-platform access --json.", {
  grants: z.array(grant),
  unreadable: z
    .array(unreadable)
    .describe("Parts that could not be read, so the grants that depend on them are missing. Empty: no grant is missing."),
});

/** A document of {@link accessDocument}. */
export type AccessDocument = z.infer<typeof accessDocument>;
