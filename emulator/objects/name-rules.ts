import type { FieldViolation } from "../wire/errors";
import { stringOf, type JsonObject } from "../wire/json";

/** Violations of the rule that a description is one line of at most 512 characters (docs/platform-api.md#names). */
export function checkDescription(fields: JsonObject): FieldViolation[] {
  return /^[\S ]{0,512}$/u.test(stringOf(fields["description"]))
    ? []
    : [{ field: "description", description: "must be a single line of at most 512 characters" }];
}

const namePattern = /^[a-z0-9 ._-]{1,}$/;

/** Violations of the rule for names of groups and identities (docs/platform-api.md#names). */
export function checkName(fields: JsonObject): FieldViolation[] {
  return namePattern.test(stringOf(fields["name"]))
    ? []
    : [{ field: "name", description: `name must match "${namePattern.source}"` }];
}

/** Violations of the rule that other names are non-empty and have no control characters. */
export function checkPlainName(fields: JsonObject): FieldViolation[] {
  return /^\P{Cc}+$/u.test(stringOf(fields["name"]))
    ? []
    : [{ field: "name", description: "is required and must not contain control characters" }];
}
