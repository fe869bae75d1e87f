import { isObject, type Json } from "./json";

/** What a test may change about the emulator while it runs. Nothing here outlives the process. */
export interface SettingValues {
  /** Lifetime of API tokens that are issued from now on. Default 3600 (SPEC §8). */
  apiTokenLifetimeSeconds: number;
  /** Every answer waits this long. Default 0. */
  latencyMs: number;
  /** Leave default-valued members out of answers. Default false. */
  omitDefaults: boolean;
  /** Leave totalCount out of lists (API-FACTS §3); with `omitDefaults` an empty list is `{}`. Default false. */
  omitTotalCount: boolean;
  /** Digits of a second in the timestamps of answers (API-FACTS §2.0). Default 3 (SPEC §2). */
  timestampDigits: 0 | 3 | 6 | 9;
  /** What a successful delete answers: nothing (SPEC §4), or `{}` (API-FACTS §2.0). Default "empty". */
  deleteBody: "empty" | "object";
  /** Shifts the clock that timestamps, tokens and cursors go by. Default 0. */
  clockOffsetSeconds: number;
  /** Allow objects that share a natural key. Default false. */
  duplicateNames: boolean;
  /** Creates under a group answer 403 until it is this old (API-FACTS §11). Default 0. */
  propagationMs: number;
}

const isNumber = (value: Json) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: Json) => isNumber(value) && Number(value) >= 0;
const isBoolean = (value: Json) => typeof value === "boolean";

const checks: Record<keyof SettingValues, [(value: Json) => boolean, string]> = {
  apiTokenLifetimeSeconds: [isCount, "a number, 0 or more"],
  latencyMs: [isCount, "a number, 0 or more"],
  omitDefaults: [isBoolean, "true or false"],
  omitTotalCount: [isBoolean, "true or false"],
  timestampDigits: [(value) => [0, 3, 6, 9].some((digits) => digits === value), "0, 3, 6 or 9"],
  deleteBody: [(value) => value === "empty" || value === "object", '"empty" or "object"'],
  clockOffsetSeconds: [isNumber, "a number"],
  duplicateNames: [isBoolean, "true or false"],
  propagationMs: [isCount, "a number, 0 or more"],
};

/** The settings, and the clock that follows them. */
export class Settings {
  readonly values: SettingValues = {
    apiTokenLifetimeSeconds: 3600,
    latencyMs: 0,
    omitDefaults: false,
    omitTotalCount: false,
    timestampDigits: 3,
    deleteBody: "empty",
    clockOffsetSeconds: 0,
    duplicateNames: false,
    propagationMs: 0,
  };

  /** Milliseconds since 1970 by the emulator's clock. */
  now(): number {
    return Date.now() + this.values.clockOffsetSeconds * 1000;
  }

  /** The emulator's time as RFC 3339, UTC, milliseconds (SPEC §2). */
  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  /**
   * Changes the named settings, all or none.
   * @throws {Error} saying which setting is unknown or what it may be.
   */
  update(patch: Json): void {
    if (!isObject(patch)) throw new Error("the settings to change must be a JSON object");
    for (const [name, value] of Object.entries(patch)) {
      const check = Object.entries(checks).find(([known]) => known === name)?.[1];
      if (check === undefined) throw new Error(`unknown setting "${name}"; known are ${Object.keys(checks).join(", ")}`);
      if (!check[0](value)) throw new Error(`setting "${name}" must be ${check[1]}, not ${JSON.stringify(value)}`);
    }
    Object.assign(this.values, patch);
  }
}
