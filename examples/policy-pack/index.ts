import { PolicyPack } from "@pulumi/policy";
import { expiringKeys } from "./keys";
import { anchoredPatterns, nobodyUnknown, ownAudience } from "./logins";
import { fewOwners, noOwnerByPattern } from "./owners";

new PolicyPack("platform-access", {
  enforcementLevel: "mandatory",
  policies: [nobodyUnknown, anchoredPatterns, ownAudience, fewOwners, noOwnerByPattern, expiringKeys],
});
