import { ownArguments, type Settings } from "../explicit-provider";

/** Names the provider with these settings, for people. */
export function providerText(settings: Settings): string {
  const own = ownOf(settings);
  return own.length === 0 ? "the stack's provider" : `the provider with the arguments ${own.join(", ")}`;
}

/**
 * Why the copy cannot know the identity that this provider has in a real run; undefined if the settings name it. The rehearsal itself decides for
 * the stack's own credentials.
 */
export function unknownIdentity(settings: Settings): string | undefined {
  const own = ownOf(settings);
  if (isSet(settings, "tokenCommand")) return "Its API token comes from a command, which a rehearsal does not run.";
  if (own.includes("oidcTokenFile") && !isSet(settings, "identity"))
    return "Its OIDC token comes from a file, which a rehearsal does not read, and no setting names its identity.";
  if (own.includes("baseUrl") && !own.includes("oidcTokenFile"))
    return "Only the environment of a real run shows whether it has credentials.";
  return undefined;
}

function ownOf(settings: Settings): string[] {
  return (settings[ownArguments] ?? "").split(",").filter(Boolean);
}

function isSet(settings: Settings, name: string): boolean {
  return (settings[`platform:${name}`] ?? "").trim() !== "";
}
