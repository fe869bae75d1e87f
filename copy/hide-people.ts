import { createHmac, randomBytes } from "node:crypto";
import type { CopiedRows } from "../emulator/copy/load";
import { isObject, stringOf, type Json, type JsonObject } from "../emulator/wire/json";

/** An address of a person, also of an own network, where a pattern escapes its dots, and as a part of a URL. */
const address = /[\p{L}\p{M}\p{N}._%+'-]+?(?:@|%40)[\p{L}\p{M}\p{N}-]+(?:\\?\.[\p{L}\p{M}\p{N}-]+)*/gu;

/**
 * Rows in which people cannot be recognised by their login. Replaces every address, the subjects of people whom bindings name, and the
 * subjects of the issuers of identity providers, each by a hash with a key that is kept nowhere. Equal texts get equal hashes. Names and
 * descriptions stay, besides the addresses in them.
 */
export function hidePeople(rows: CopiedRows): CopiedRows {
  const key = randomBytes(32);
  const hash = (text: string) => createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
  const issuers = new Set((rows.get("identityProviders") ?? []).map(({ oidc }) => memberOf(oidc, "issuer")));
  const withoutAddresses = (value: Json): Json => {
    if (typeof value === "string") return value.replace(address, (found) => `${hash(found)}@hidden.invalid`);
    if (Array.isArray(value)) return value.map(withoutAddresses);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutAddresses(member)]));
  };
  /** A login with its subject hidden, if it is a person's. */
  const hidden = (login: JsonObject, isPerson: boolean): JsonObject => {
    const subject = stringOf(login["subject"]);
    const isHidden = subject !== "" && (isPerson || issuers.has(stringOf(login["issuer"])) || subject.match(address) !== null);
    return isHidden ? { ...login, subject: `hidden-${hash(subject)}` } : login;
  };
  const withoutPeople = (row: JsonObject): JsonObject => {
    const { identity, claimMatch } = row;
    return withoutAddresses({
      ...row,
      // The uid of a person is in no group.
      ...(isObject(identity) && { identity: hidden(identity, !stringOf(identity["uid"]).includes("/")) }),
      ...(isObject(claimMatch) && { claimMatch: hidden(claimMatch, false) }),
    }) as JsonObject;
  };
  return new Map([...rows].map(([collection, each]) => [collection, each.map(withoutPeople)]));
}

function memberOf(value: Json | undefined, name: string): string {
  return isObject(value) ? stringOf(value[name]) : "";
}
