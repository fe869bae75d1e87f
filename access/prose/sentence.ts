import { list, printable, shortList } from "../../provider/client/printable";
import { hasPlatformForm, organizationOf } from "../../provider/client/uid";
import type { AccessChange } from "../compare";
import { describeLogin } from "./describe-login";
import { alarmWords } from "./guarded-text";
import { personInWords } from "./person";
import type { Located } from "../holders";
import { nameInWords } from "../values";

/** Marks up a part of a sentence, which is the name of an object or a login. The texts are already free of control characters. */
export interface Markup {
  readonly name: (text: string) => string;
  readonly words: (text: string) => string;
}

/** Quotes, without markup. */
export const plainMarkup: Markup = { name: nameInWords, words: (text) => text };

/** Maximum number of capabilities in a sentence. */
const mostNamed = 6;

/**
 * A change in words, without its sign: `acme/ci-shop (GitHub acme/shop, branch main) becomes owner of acme/engineering and 14 groups
 * below`.
 *
 * @param telling.role text about a role that the holder had before or keeps: ` (was editor)`. Default: nothing
 * @param telling.when `now` if somebody has made the change already; `then`, the default, if an update will make it; `ever` if nothing tells
 * whether it was different before
 */
export function sentenceOf(
  change: AccessChange,
  markup: Markup = plainMarkup,
  { role = "", when = "then" }: Telling = {},
): string {
  return `${factOf(change, markup, when)}${role}${alarmWords(change.alarms)}`;
}

/**
 * Somebody who gains a role in one place and loses it in another, in words: `acme/ci-shop (GitHub acme/shop, branch main) moves from owner
 * of acme/engineering to owner of acme/operations`.
 */
export function moveSentence(gain: AccessChange, loss: AccessChange, markup: Markup = plainMarkup): string {
  const formerly = loss.holder.path === gain.holder.path ? "" : `, before ${subjectText(loss, markup)},`;
  const [from, to] = [loss, gain].map((change) => `${roleText(change, markup)} of ${whereText(change, markup)}`);
  return `${subjectText(gain, markup)}${matchInParentheses(gain, markup)}${formerly} moves from ${from} to ${to}`;
}

type When = "now" | "then" | "ever";

/** Options of {@link sentenceOf}. */
interface Telling {
  readonly role?: string;
  readonly when?: When;
}

function factOf(change: AccessChange, markup: Markup, when: When): string {
  const { effect, holder, through } = change;
  const isGain = effect === "gain";
  const now = when === "ever" ? "" : "now ";
  const [role, where] = [roleText(change, markup), whereText(change, markup)];
  if (holder.account !== undefined) {
    const verb = isGain ? `${now}acts for` : "no longer acts for";
    return `${markup.words(printable(holder.account))} ${verb} ${where}`;
  }
  if (through.kind === "login") {
    const given = change.role.uid === "" ? " (no role of it is known here)" : `, ${role} of ${where}`;
    const subject = subjectText(change, markup);
    return `${markup.words(matchText(change))} ${loginVerb(change, now)} ${subject}${given}${doubtText(change)}${changedText(change, markup)}`;
  }
  const who = `${subjectText(change, markup)}${matchInParentheses(change, markup)}`;
  if (through.kind === "role") {
    const verb = isGain ? `can ${now}also do` : "can no longer do";
    const what = change.capabilities && `${verb} ${capabilityText(change.capabilities, markup)}`;
    const whose = change.isWithoutHolder
      ? `any holder of the role ${role} of ${where} (none is known here)`
      : `${who}, ${role} of ${where},`;
    return `${whose} ${what ?? "may be able to do more, because the new role is not shown"}`;
  }
  const [is, becomes] = holder.externalGroupId === undefined ? ["is", "becomes"] : ["are", "become"];
  // Nobody has the role of an invite or of a sign-in service before first use.
  const isHeld = when !== "then" && through.kind !== "groupInvite" && through.kind !== "identityProvider";
  const verb = isGain ? (isHeld ? `${is} ${now}`.trimEnd() : becomes) : `${is} no longer`;
  return `${who} ${verb} ${role} of ${where}`;
}

function loginVerb({ effect, isUnclear }: AccessChange, now: string): string {
  if (effect === "gain") return `can ${now}log in as`;
  return isUnclear ? "may no longer be able to log in as" : "can no longer log in as";
}

function doubtText({ effect, isUnclear }: AccessChange): string {
  return isUnclear && effect === "gain" ? ": the match changed, and may be broader" : "";
}

/** Says that the login changed, if the words for who can log in do not show it. */
function changedText({ loginChange, holder }: AccessChange, { words }: Markup): string {
  if (loginChange === undefined || describeLogin(loginChange.before) !== describeLogin(holder.login ?? {})) return "";
  return ` (${list(loginChange.members.map((each) => words(printable(each))))} changed)`;
}

/** The holder in words: `acme/ci-shop`, `members of the group admins at acme/okta`, `whoever accepts an invite`. */
function subjectText(change: AccessChange, { name, words }: Markup): string {
  const { holder, through, at, label } = change;
  const person = personInWords(holder, label);
  if (person !== undefined) return words(printable(person));
  const of = holder.path ?? holder.uid;
  if (holder.externalGroupId !== undefined)
    return `members of the group ${name(printable(holder.externalGroupId))} at ${name(printable(of ?? "an identity provider"))}`;
  if (holder.email !== undefined) return `${name(printable(holder.email))} (by an invite)`;
  if (of === undefined) return words("whoever accepts an invite");
  return through.kind === "identityProvider"
    ? `whoever signs in at ${name(printable(of))} for the first time`
    : `${name(printable(of))}${originText(holder, at)}`;
}

/** A binding here can name an identity of another organisation, whose administrators decide who logs in. */
function originText({ uid = "" }: AccessChange["holder"], at: Located): string {
  const isElsewhere = uid.includes("/") && organizationOf(uid) !== organizationOf(at.uid);
  return isElsewhere && [uid, at.uid].every(hasPlatformForm) ? " of another organisation" : "";
}

function matchText({ holder }: AccessChange): string {
  return holder.login === undefined ? "login unknown" : describeLogin(holder.login);
}

function matchInParentheses(change: AccessChange, { words }: Markup): string {
  // The name of a person already says how the person logs in.
  return change.holder.login === undefined || personInWords(change.holder) !== undefined ? "" : ` (${words(matchText(change))})`;
}

/** `owner`, or `role <uid>, unknown`. */
export function roleText({ role }: Pick<AccessChange, "role">, { name }: Markup = plainMarkup): string {
  if (role.name !== undefined) return name(printable(role.name));
  return `role ${name(printable(role.uid))}, unknown,`;
}

function whereText({ at, reach }: AccessChange, markup: Markup): string {
  const below = reach === 0 ? "" : ` and ${reach} ${reach === 1 ? "group" : "groups"} below`;
  return `${placeText(at, markup)}${below}`;
}

function placeText({ uid, path }: Located, { name }: Markup): string {
  return name(printable(path ?? uid));
}

function capabilityText(capabilities: readonly string[], { name }: Markup): string {
  return shortList(
    capabilities.map((each) => name(printable(each))),
    mostNamed,
  );
}
