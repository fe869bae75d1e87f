import type { AccessChange } from "../../access/compare";
import { describeLogin, isAnybody } from "../../access/describe-login";
import type { Holder } from "../../access/effective";
import { printable } from "../../provider/client/printable";
import { accountRole } from "../../access/ways";

/** A gain or loss of access as a sentence: `acme/ci (GitHub acme/shop, branch main) becomes owner of acme and 14 groups below.` */
export function changeInWords(change: AccessChange): string {
  const { role, effect, capabilities, through } = change;
  const who = holderInWords(change.holder, through.uid);
  const where = `${change.at.path ?? change.at.uid}${belowInWords(change.reach)}`;
  const name = role.uid === accountRole ? "its account" : (role.name ?? `a role that cannot be read (${role.uid})`);
  const covered =
    change.coveredBy === undefined ? "" : `, which ${effect === "gain" ? "it had" : "it keeps"} by ${change.coveredBy}`;
  return sentence(`${who} ${verb()}${covered}.`);

  function verb(): string {
    if (capabilities !== undefined)
      return `${effect === "gain" ? "gains" : "loses"} ${some(capabilities)} as ${name} of ${where}`;
    if (effect === "loss") return `is no longer ${name} of ${where}`;
    if (through.kind === "groupInvite" || through.kind === "identityProvider") return `can become ${name} of ${where}`;
    if (through.kind === "accountAssociation") return `acts for ${where}`;
    return through.kind === "login" ? `can now log in and is ${name} of ${where}` : `becomes ${name} of ${where}`;
  }
}

/** ` and 14 groups below`; empty for none. */
function belowInWords(reach: number): string {
  return reach === 0 ? "" : ` and ${reach} ${reach === 1 ? "group" : "groups"} below`;
}

function holderInWords({ login, path, uid, email, account, externalGroupId }: Holder, through: string): string {
  const name = path ?? uid;
  if (account !== undefined) return account;
  if (email !== undefined) return email;
  const who = login === undefined ? undefined : describeLogin(login);
  if (externalGroupId !== undefined) return `the group "${externalGroupId}" of ${who ?? name ?? "an identity provider"}`;
  if (name === undefined) return `whoever has the code of invite ${through}`;
  if (who === undefined) return name;
  // Who it is matters more than what it is called.
  return isAnybody(login) ? `${anybody(who)}, as ${name},` : `${name} (${who})`;
}

function anybody(who: string): string {
  return who.startsWith("anybody") ? who : `anybody (${who})`;
}

function some(capabilities: readonly string[]): string {
  const [most, rest] = [capabilities.slice(0, 5), capabilities.length - 5];
  return most.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function sentence(text: string): string {
  const safe = printable(text).replaceAll("\n", "\\n");
  return safe.startsWith("anybody") || safe.startsWith("whoever") ? safe.charAt(0).toUpperCase() + safe.slice(1) : safe;
}
