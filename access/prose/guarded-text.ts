import type { Alarm } from "../guarded";

const words: Readonly<Record<Alarm, string>> = {
  ownAccess: "runs log in as it",
  breakGlass: "it is marked as break-glass",
  lastControl: "no one else is known to have control there",
  rootControl: "this was control of the organisation",
  lastOwner: "no one else is known to have control there, except from groups above",
};

/** The alarms in words, as the end of a sentence: `; no one else is known to have control there`. Empty without alarms. */
export function alarmWords(raised: readonly Alarm[] = []): string {
  return raised.map((each) => `; ${words[each]}`).join("");
}

/** Explains that no identity has `uid`, which is marked as break-glass, and what to do. Ends without a full stop. */
export function idleMarkText(uid: string): string {
  return `${uid} is marked as break-glass, but no identity has this uid. Correct or remove the mark`;
}
