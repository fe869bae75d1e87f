import { gatewayError } from "./errors";
import { snakeCase, storedTime } from "./message";

/**
 * The parameters of a query string by snake_case name. Both spellings are accepted; unknown parameters are ignored
 * (docs/platform-api.md#list-filters).
 */
export class Query {
  readonly #values = new Map<string, string[]>();

  constructor(raw: string) {
    for (const [name, value] of new URLSearchParams(raw)) {
      const key = snakeCase(name);
      this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    }
  }

  /** Every value of a parameter. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /**
   * The value of a parameter; undefined if it is not set.
   * @throws {ApiError} code 3 if it is repeated.
   */
  one(name: string): string | undefined {
    const values = this.all(name);
    if (values.length > 1) throw gatewayError(`parsing field ${name}: too many values for a field that is not a list`);
    return values[0];
  }

  /** The value of a boolean parameter; defaults to false. */
  flag(name: string): boolean {
    const value = this.one(name);
    if (value === undefined || /^(0|f|false)$/i.test(value)) return false;
    if (/^(1|t|true)$/i.test(value)) return true;
    throw gatewayError(`parsing field ${name}: "${value}" is not a bool`);
  }

  /** The values of an enum parameter, by name or number. */
  oneOf(name: string, names: readonly string[]): readonly string[] {
    return this.all(name).map((value) => {
      const known = /^\d+$/.test(value) ? names[Number(value)] : names.find((each) => each === value);
      if (known === undefined) throw gatewayError(`parsing field ${name}: "${value}" is not one of ${names.join(", ")}`);
      return known;
    });
  }

  /** The value of a time parameter, as times are stored. */
  time(name: string): string | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const time = storedTime(value);
    if (time === undefined) throw gatewayError(`parsing field ${name}: "${value}" is not an RFC 3339 timestamp`);
    return time;
  }
}
