import { PolicyPack } from "@pulumi/policy";
import { expiringKeys } from "./keys";
import { anchoredPatterns, audienceSet, nobodyUnknown } from "./logins";
import { fewOwners, noOwnerByPattern } from "./owners";

new PolicyPack("platform-access", {
  enforcementLevel: "mandatory",
  policies: [nobodyUnknown, anchoredPatterns, audienceSet, fewOwners, noOwnerByPattern, expiringKeys],
});
