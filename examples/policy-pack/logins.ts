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

/** A token that was meant for another service is no login. */
export const audienceSet: ResourceValidationPolicy = {
  name: "audience-set",
  description: "An identity says for which audience a token must be made out.",
  validateResource(args, report) {
    const { claimMatch, staticKeys } = identityOf(args) ?? {};
    if (claimMatch && !claimMatch.audience && !claimMatch.audiencePattern)
      report("claimMatch.audience is not set: set it to the audience that your pipelines ask for.");
    if (staticKeys && !staticKeys.audiences?.length)
      report("staticKeys.audiences is not set: set it to the audience that your tokens are made out for.");
  },
};
