import { z } from "zod";
import { age, parseInput, pause, seconds } from "../wire/input";
import type { JsonObject } from "../wire/json";
import type { Rendering } from "../wire/message";

/** How a caller without a capability is answered where the object exists. */
const denialPolicy = z.enum(["byOrganization", "hidden", "refused"]);

/** How a caller without a capability is answered where the object exists. */
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
  /** What a successful delete answers: nothing, or `{}`. */
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
   * What a caller without a capability gets for an object that exists: `hidden` is 404, `refused` is 403, `byOrganization` is
   * 403 if the caller has any role in the organisation, else 404. For all capabilities, or by capability with "*" for the
   * rest.
   */
  denials: z.union([denialPolicy, z.record(z.string().regex(/^(\*|CAP_[A-Z_]+)$/), denialPolicy)]).default("byOrganization"),
  /** Whether API tokens issued from now on follow the role bindings (`live`), or keep those of their exchange (`snapshot`). */
  tokenGrants: z.enum(["live", "snapshot"]).default("live"),
  /**
   * What happens when a customer sets a repository's tier, bundles, aliases, active tags or synchronization, which take a
   * capability of the platform's staff.
   */
  catalogFields: z.enum(["writable", "refused", "ignored"]).default("writable"),
  /** What a List of identity providers answers: its rows, or what Get answers for an empty uid: an `error`, or an object without values. */
  identityProvidersList: z.enum(["rows", "error", "emptyObject"]).default("rows"),
  /** Whether an invite that has expired can still be read. */
  expiredInvites: z.enum(["kept", "removed"]).default("kept"),
  /** What the check of an account association finds, for an account that it has. */
  accountChecks: z.enum(["ready", "notReady"]).default("ready"),
});

/** What tests can change while the emulator runs. Lost when the process ends. */
export type SettingValues = z.infer<typeof schema>;

/** The settings, and the clock that they shift. */
export class Settings {
  readonly values: SettingValues = schema.parse({});

  /** How messages are written. */
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
   * @throws {InputError} naming each setting that is unknown or has a wrong value.
   */
  update(patch: JsonObject): void {
    Object.assign(this.values, parseInput(schema, { ...this.values, ...patch }, "setting"));
  }
}
