import { z } from "zod";
import { age, parseInput, pause, seconds } from "../wire/input";
import type { JsonObject } from "../wire/json";
import type { Rendering } from "../wire/message";

/** The answer to a caller without a capability, if the object exists. */
const denialPolicy = z.enum(["byOrganization", "hidden", "refused"]);

/** The answer to a caller without a capability, if the object exists. */
export type DenialPolicy = z.infer<typeof denialPolicy>;

const schema = z.strictObject({
  /** Lifetime of API tokens issued from now on. */
  apiTokenLifetimeSeconds: seconds.nonnegative().default(3600),
  /** Every answer waits this long. */
  latencyMs: pause.default(0),
  /** Leave default-valued members out of answers. */
  omitDefaults: z.boolean().default(false),
  /** Leave totalCount out of lists; with `omitDefaults` an empty list is `{}`. */
  omitTotalCount: z.boolean().default(false),
  /** Digits of a second in the timestamps of answers. */
  timestampDigits: z.literal([0, 3, 6, 9]).default(3),
  /** The answer to a successful delete, which is nothing or `{}`. */
  deleteBody: z.enum(["empty", "object"]).default("empty"),
  /** Shifts the clock of timestamps, tokens and cursors. */
  clockOffsetSeconds: seconds.default(0),
  /** Allow objects that share a natural key. */
  duplicateNames: z.boolean().default(false),
  /** Creates under a group answer 403 until it is this old. */
  propagationMs: age.default(0),
  /** Get answers 404 for an object until it is this old. */
  readLagMs: age.default(0),
  /** Lists leave an object out until it is this old. */
  listLagMs: age.default(0),
  /**
   * The answer to a caller without a capability for an existing object. `hidden` is 404, `refused` is 403, `byOrganization` is 403 if the
   * caller has any role in the organisation and 404 otherwise. Set for all capabilities, or by capability with "*" for the rest.
   */
  denials: z.union([denialPolicy, z.record(z.string().regex(/^(\*|CAP_[A-Z_]+)$/), denialPolicy)]).default("byOrganization"),
  /** Whether API tokens issued from now on follow the role bindings (`live`), or keep those of their exchange (`snapshot`). */
  tokenGrants: z.enum(["live", "snapshot"]).default("live"),
  /**
   * The effect when a customer sets a repository's tier, bundles, aliases, active tags or synchronization, which take a capability of the
   * platform's staff.
   */
  catalogFields: z.enum(["writable", "refused", "ignored"]).default("writable"),
  /**
   * The answer to a List of identity providers. It is the rows, or the answer of Get to an empty uid, which is an `error` or an object
   * without values.
   */
  identityProvidersList: z.enum(["rows", "error", "emptyObject"]).default("rows"),
  /** Whether an invite that has expired can still be read. */
  expiredInvites: z.enum(["kept", "removed"]).default("kept"),
  /** The result of the check of an account association, for an existing account. */
  accountChecks: z.enum(["ready", "notReady"]).default("ready"),
});

/** The settings that tests can change while the emulator runs. They are lost when the process ends. */
export type SettingValues = z.infer<typeof schema>;

/** The settings, and the clock that they shift. */
export class Settings {
  readonly values: SettingValues = schema.parse({});

  /** The form in which messages are written. */
  get rendering(): Rendering {
    return { emitDefaults: !this.values.omitDefaults, timestampDigits: this.values.timestampDigits };
  }

  /** Milliseconds since 1970 by the emulator's clock. */
  now(): number {
    return Date.now() + this.values.clockOffsetSeconds * 1000;
  }

  /** The emulator's time as RFC 3339, UTC, milliseconds. */
  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  /** Whether an object that was created at `createTime` is not yet `ms` milliseconds old. */
  isYounger(createTime: string, ms: number): boolean {
    return ms > 0 && this.now() - Date.parse(createTime) < ms;
  }

  /**
   * Changes the named settings, all or none.
   * @throws {InputError} with each setting that is unknown or has a wrong value.
   */
  update(patch: JsonObject): void {
    Object.assign(this.values, parseInput(schema, { ...this.values, ...patch }, "setting"));
  }
}
