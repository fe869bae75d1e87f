import { PlatformError } from "../../client/errors";
import { isWorthRetrying } from "../../client/retry";
import { differing, type Observed } from "../../schema/kind";
import { changeOf, createBody } from "../../schema/request-body";
import { announceForeign, type Intent } from "./changed-meanwhile";
import { isOutcomeUnknown } from "../../client/outcome";
import type { Run } from "../run/run";

/** How often the object is sent if no answer shows whether it was applied. */
const mostTries = 2;

/**
 * Changes the object `uid` of a kind that has no PATCH, by a create that overwrites it (docs/platform-api.md#tags). The object is
 * read right before: it must still exist, since the create would make a new one, and what the program omits keeps its current
 * value.
 *
 * @throws PlatformError `NOT_FOUND`; `WRONG_OBJECT` if it was deleted meanwhile, so that the create made another one
 */
export async function overwrite(intent: Intent, run: Run): Promise<Observed> {
  const { kind, uid, wanted } = intent;
  const { collection, parentInput } = kind;
  const current = kind.observe(await run.client.get(collection, uid));
  announceForeign(current, intent, run);
  const { body, mask } = changeOf(kind, current.inputs, wanted);
  if (mask.length === 0) return current;
  const whole = { ...createBody(kind, { ...current.inputs, ...wanted }), ...body };
  for (let tries = 1; ; tries++) {
    try {
      const answered = await run.client.create(collection, String(wanted[parentInput]), whole, { repetition: "repeatable" });
      if (answered.uid === uid) return kind.observe(answered);
      throw new PlatformError(
        "WRONG_OBJECT",
        `it was deleted meanwhile, so the platform created ${answered.uid}. Set \`adopt: true\` and run \`pulumi up --refresh --run-program\`.`,
      );
    } catch (error) {
      // The client has repeated transient failures already.
      if (!isOutcomeUnknown(error) || isWorthRetrying(error, "repeatable")) throw error;
      const observed = kind.observe(await run.client.get(collection, uid));
      if (differing(kind, observed, wanted).length === 0) return observed;
      if (tries === mostTries) throw error;
    }
  }
}
