import type { ResourceValidationPolicy } from "@pulumi/policy";
import { identityOf, isAnchored, literalStart, patternsOf } from "./patterns";

/**
 * Issuers that serve everybody, with what comes before the name of a customer in their subjects. Anybody can choose the rest, so a
 * pattern must begin with the whole name of a customer.
 */
const sharedIssuers: Readonly<Record<string, string>> = {
  "https://token.actions.githubusercontent.com": "repo:",
  "https://gitlab.com": "project_path:",
  "https://app.terraform.io": "organization:",
  "https://agent.buildkite.com": "organization:",
  "https://api.pulumi.com/oidc": "pulumi:deploy:org:",
};

/** Whoever an identity lets in is named, and so is the issuer that says who they are. */
export const nobodyUnknown: ResourceValidationPolicy = {
  name: "no-login-by-anybody",
  description: "An identity names its issuer, and a subject pattern names whose subjects it matches.",
  configSchema: {
    properties: {
      issuerPatterns: { type: "array", items: { type: "string" }, default: [] },
    },
  },
  validateResource(args, report) {
    const match = identityOf(args)?.claimMatch;
    if (!match) return;
    const { issuerPatterns } = args.getConfig<{ issuerPatterns: string[] }>();
    if (match.issuerPattern && !issuerPatterns.includes(match.issuerPattern)) {
      report(
        `claimMatch.issuerPattern ${match.issuerPattern}: anybody may run an issuer that matches. Set claimMatch.issuer, ` +
          `or list the pattern in the policy's issuerPatterns.`,
      );
    }
    if (!match.subjectPattern) return;
    const start = literalStart(match.subjectPattern);
    const prefix = match.issuer === undefined ? undefined : sharedIssuers[match.issuer];
    if (prefix === undefined) {
      if (start === "")
        report(`claimMatch.subjectPattern ${match.subjectPattern} may match anybody: begin it with a fixed text.`);
    } else if (!start.startsWith(prefix) || !/^[^/:]+[/:]/.test(start.slice(prefix.length))) {
      report(
        `claimMatch.subjectPattern ${match.subjectPattern} may match subjects of other customers of ${match.issuer ?? ""}: ` +
          `begin it with ^${prefix}<your name>/.`,
      );
    }
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
 * Audiences that tokens are made out for when they log in elsewhere, and how others begin. Whoever gets such a token, as an action of a
 * workflow or a cloud does, could log in here with it.
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
