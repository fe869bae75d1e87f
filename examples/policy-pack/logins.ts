import type { ResourceValidationPolicy } from "@pulumi/policy";
import { openLogins } from "pulumi-platform";
import { identityOf, isAnchored, literalStart, patternsOf } from "./patterns";
import { isA, type ProviderProperties } from "./types";

/** It is proven whose a login is, by the same function as in the check of the provider, in reviews and in drift. */
export const nobodyUnknown: ResourceValidationPolicy = {
  name: "no-login-by-anybody",
  description: "The match of an identity, and the issuer where people sign in, are proven to mean one customer.",
  configSchema: {
    properties: {
      issuerPatterns: { type: "array", items: { type: "string" }, default: [] },
      signInIssuers: { type: "array", items: { type: "string" }, default: [] },
    },
  },
  validateResource(args, report) {
    const { issuerPatterns, signInIssuers } = args.getConfig<{ issuerPatterns: string[]; signInIssuers: string[] }>();
    const { claimMatch, awsIdentity } = identityOf(args) ?? {};
    const oidc = isA("IdentityProvider", args) ? (args.props as ProviderProperties).oidc : undefined;
    const allowed = [
      ...(issuerPatterns.includes(claimMatch?.issuerPattern ?? "") ? ["claimMatch.issuerPattern"] : []),
      ...(signInIssuers.includes(oidc?.issuer ?? "") ? ["oidc.issuer"] : []),
    ];
    for (const { property, who, why, ways } of openLogins({ claimMatch, awsIdentity, oidc }))
      if (!allowed.includes(property)) report(`${property} lets in ${who}. ${why}. ${ways.join(" ")}`);
  },
};

/** Patterns match whole values. */
export const anchoredPatterns: ResourceValidationPolicy = {
  name: "anchored-patterns",
  description: "Every pattern of an identity begins with ^, ends with $, and has its alternatives in a group.",
  validateResource(args, report) {
    const inputs = identityOf(args);
    for (const [property, pattern] of inputs ? patternsOf(inputs) : [])
      if (!isAnchored(pattern)) report(`${property} ${pattern} may match a part of a longer value: write ^(?:...)$.`);
  },
};

/**
 * Audiences of tokens for logins elsewhere, and the beginnings of others. A party that gets a token with one of them, such as an action of
 * a workflow or a cloud, could log in here with it.
 */
const othersAudiences = ["sts.amazonaws.com", "api://AzureADTokenExchange"];
const othersPrefixes = ["https://github.com/", "https://gitlab.com", "https://iam.googleapis.com/", "urn:pulumi:"];

/** A token that was meant for another service is no login. Without an audience, the platform wants tokens for itself. */
export const ownAudience: ResourceValidationPolicy = {
  name: "own-audience",
  description: "The audience of an identity is not that of another service, nor a pattern that may match any.",
  configSchema: { properties: { allowed: { type: "array", items: { type: "string" }, default: [] } } },
  validateResource(args, report) {
    const { claimMatch = {}, staticKeys = {} } = identityOf(args) ?? {};
    const { allowed } = args.getConfig<{ allowed: string[] }>();
    for (const audience of [claimMatch.audience ?? "", ...(staticKeys.audiences ?? [])])
      if (!allowed.includes(audience) && isOthers(audience))
        report(`The audience ${audience} is that of another service: leave it out, or list it in the policy's \`allowed\`.`);
    if (claimMatch.audiencePattern && literalStart(claimMatch.audiencePattern) === "")
      report(`claimMatch.audiencePattern ${claimMatch.audiencePattern} may match any audience: begin it with a fixed text.`);
  },
};

function isOthers(audience: string): boolean {
  return othersAudiences.includes(audience) || othersPrefixes.some((prefix) => audience.startsWith(prefix));
}
