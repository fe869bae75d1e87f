import type { SharedIssuer } from "./shared-issuer";

const asOf = "2026-11-27";
const microsoft = {
  who: "has a Microsoft account",
  source: "https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc",
  asOf,
  subjects: ["*"],
  claims: { tid: "*" },
} as const;

/** Issuers at which anybody can have an account. A whole subject is one person or workload. */
export const signInIssuers: readonly SharedIssuer[] = [
  {
    issuer: "https://accounts.google.com",
    who: "has a Google account",
    source: "https://developers.google.com/identity/openid-connect/openid-connect",
    asOf,
    subjects: ["#"],
    claims: { hd: "*", email: "*" },
  },
  { ...microsoft, issuer: "https://login.microsoftonline.com/common/v2.0" },
  { ...microsoft, issuer: "https://login.microsoftonline.com/organizations/v2.0", who: "has a work account of Microsoft" },
  { ...microsoft, issuer: "https://login.microsoftonline.com/consumers/v2.0", claims: {} },
  // The directory of all personal accounts.
  { ...microsoft, issuer: "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", claims: {} },
  {
    issuer: "https://appleid.apple.com",
    who: "has an Apple account",
    source: "https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple",
    asOf,
    subjects: ["*"],
  },
  {
    issuer: "https://www.facebook.com",
    who: "has a Facebook account",
    source: "https://developers.facebook.com/docs/facebook-login/limited-login/token/",
    asOf,
    subjects: ["*"],
  },
  {
    issuer: "https://www.linkedin.com/oauth",
    who: "has a LinkedIn account",
    source: "https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
    asOf,
    subjects: ["*"],
  },
  {
    issuer: "https://slack.com",
    who: "has a Slack account",
    source: "https://docs.slack.dev/authentication/sign-in-with-slack/",
    asOf,
    subjects: ["*"],
    claims: { "https://slack.com/team_id": "*" },
  },
  {
    issuer: "https://id.twitch.tv/oauth2",
    who: "has a Twitch account",
    source: "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/",
    asOf,
    subjects: ["*"],
  },
  {
    issuer: "https://oauth2.sigstore.dev/auth",
    who: "has an account at Google, GitHub or Microsoft",
    source: "https://docs.sigstore.dev/certificate_authority/oidc-in-fulcio/",
    asOf,
    subjects: ["*"],
  },
  {
    issuer: "https://issuer.hello.coop",
    who: "has a Hellō account",
    source: "https://github.com/sigstore/fulcio/blob/main/config/identity/config.yaml",
    asOf,
    subjects: ["*"],
  },
  {
    issuer: "https://cognito-identity.amazonaws.com",
    who: "can use an Amazon Cognito identity pool",
    source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html",
    asOf,
    subjects: ["*"],
  },
];
