import * as pulumi from "@pulumi/pulumi";
import { githubActions, Organization, Team } from "pulumi-platform";

const organizationUid = new pulumi.Config("platform").get("organization") ?? process.env["PLATFORM_ORGANIZATION"];
if (!organizationUid) {
  throw new pulumi.RunError(
    "Which organisation? Set the uid of its root group: `pulumi config set platform:organization <uid>`, or PLATFORM_ORGANIZATION.",
  );
}

// The file declares what changes by pull request. It is checked as a whole before anything is declared.
const acme = new Organization("acme", { parentUid: organizationUid, file: "acme.yaml", accessAs: "GroupAccess" });

const engineering = acme.groups["acme/engineering"];
if (engineering === undefined) throw new pulumi.RunError("acme.yaml has no group engineering.");

// The program adds the parts that a file cannot express.
// The subject of a repository that GitHub has created since 15 July 2026 has ids: "acme@123456/shop@456789".
const payments = new Team("payments", {
  parentUid: engineering.uid,
  description: "Handles money: two reviews for every change",
  pipeline: { claimMatch: githubActions({ repository: "acme/payments", environment: "production" }) },
  access: { editor: ["pipeline"] },
});

export const engineeringUid = engineering.uid;
export const paymentsUid = payments.uid;
