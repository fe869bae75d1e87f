import { z } from "zod";
import { document } from "./document";

const source = z.object({
  name: z.string().describe("The key or variable, or GitHub Actions."),
  level: z.enum(["configuration", "environment", "githubActions"]),
  state: z.enum(["taken", "passedOver", "notSet"]),
  reason: z.string().optional().describe("Why it was not taken."),
});

/** The output of `pulumi-platform whoami --json`. */
export const whoamiDocument = document("whoami", "Which identity the platform sees, and why: pulumi-platform whoami --json.", {
  sources: z.array(source).describe("Every source of credentials, in the order of use."),
  baseUrl: z.string().describe("The API address."),
  authUrl: z.string().describe("The token-issuing address."),
  apiVersion: z.object({
    configured: z.string().describe("The setting: a version, or auto."),
    served: z.array(z.string()).optional().describe("Versions that the platform serves; absent if unknown."),
  }),
  organization: z.string().optional().describe("The setting: uid of the organisation's root group."),
  readOnly: z.boolean().describe("Whether PLATFORM_READ_ONLY rejects every change."),
  identity: z
    .object({
      uid: z.string(),
      path: z.string().optional().describe("Absent if these credentials cannot read every name on the way."),
      statedBy: z.enum(["token", "setting"]).describe("The source of the uid: the token's own subject, or a setting."),
    })
    .optional()
    .describe("Absent if the identity of the token is unknown."),
  login: z
    .object({ issuer: z.unknown(), subject: z.unknown() })
    .optional()
    .describe("Claims of the OIDC token that was exchanged; absent if none was."),
  token: z
    .object({
      expiresAt: z.string().optional().describe("RFC 3339; absent if unknown."),
      audience: z.array(z.string()).describe("Empty if the token does not say."),
    })
    .optional()
    .describe("The API token; absent if there is none."),
  problems: z.array(z.string()).describe("Why there is no token, or why the platform does not accept it. Empty if it works."),
});

/** A document of {@link whoamiDocument}. */
export type WhoamiDocument = z.infer<typeof whoamiDocument>;
