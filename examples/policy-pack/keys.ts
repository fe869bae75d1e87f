import type { StackValidationPolicy } from "@pulumi/policy";
import { identityOf } from "./patterns";
import { known } from "./types";

const day = 24 * 60 * 60 * 1000;

/** Keys are replaced before the day on which they stop working. A warning: stopping an update would not renew them. */
export const expiringKeys: StackValidationPolicy = {
  name: "expiring-keys",
  description: "Static keys work for at least `days` more days.",
  enforcementLevel: "advisory",
  configSchema: { properties: { days: { type: "integer", minimum: 0, default: 30 } } },
  validateStack(args, report) {
    const { days } = args.getConfig<{ days: number }>();
    for (const resource of args.resources) {
      const expires = known(() => identityOf(resource)?.staticKeys?.expirationTime);
      if (expires && Date.parse(expires) < Date.now() + days * day)
        report(`staticKeys of ${resource.name} expire at ${expires}: add new keys and a later expirationTime.`, resource.urn);
    }
  },
};
