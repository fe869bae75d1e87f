import type { SharedIssuer } from "./shared-issuer";
import { signInIssuers } from "./sign-in-issuers";
import { tenantIssuers } from "./tenant-issuers";
import { workloadIssuers } from "./workload-issuers";

/** Every issuer from which the customers of a service get tokens, and every form of such issuers. */
export const sharedIssuers: readonly SharedIssuer[] = [...workloadIssuers, ...tenantIssuers, ...signInIssuers];
