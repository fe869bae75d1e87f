import { located } from "../../access/holders";
import { type Markup, plainMarkup } from "../../access/prose/sentence";
import type { AccessChange } from "../../access/compare";
import type { Snapshot } from "../../access/snapshot";
import { kindNames } from "../../inventory/kinds";
import type { InventoryObject } from "../../inventory/objects";
import type { Applied } from "../../preview/apply";
import * as preview from "../../preview/seen";
import { printable } from "../../provider/client/printable";
import { parentOf } from "../../provider/client/uid";

/** Addresses that start or stop receiving the events of a group. The address is the holder. */
export function changedSinks(
  before: Snapshot,
  after: Snapshot,
  previewed: Pick<Applied, "before" | "after" | "moved">,
): AccessChange[] {
  const { moved } = previewed;
  const [was, is] = [previewed.before, previewed.after].map((objects) =>
    objects.filter(({ kind }) => kind === kindNames.subscription),
  );
  const keyOf = ({ uid, place = "", value: { sink } }: InventoryObject) =>
    JSON.stringify(isShown(sink) ? [moved.get(place) ?? place, sink] : [uid]);
  const missingIn = (some: readonly InventoryObject[] = [], all: readonly InventoryObject[] = []) => {
    const keys = new Set(some.map(keyOf));
    return all.filter((object) => !keys.has(keyOf(object)));
  };
  return [
    ...missingIn(was, is).map((object) => changeOf(object, "gain", after)),
    ...missingIn(is, was).map((object) => changeOf(object, "loss", before)),
  ];
}

function changeOf({ uid, place = "", value }: InventoryObject, effect: AccessChange["effect"], side: Snapshot): AccessChange {
  const isWorst = parentOf(place) === undefined || !isShown(value["sink"]);
  return {
    effect,
    severity: effect === "loss" ? "low" : isWorst ? "high" : "medium",
    holder: { account: originOf(value["sink"]) },
    role: { uid: "events", name: "events", capabilities: [] },
    at: located(side, place),
    groups: [place],
    reach: 0,
    through: { kind: "subscription", uid },
  };
}

/** The change in words: `events of acme/shop are now sent to https://events.example.com`. */
export function sinkSentence({ effect, at, holder: { account = "" } }: AccessChange, { name }: Markup = plainMarkup): string {
  const address = account === hiddenAddress ? account : name(account);
  return `events of ${name(printable(at.path ?? at.uid))} are ${effect === "gain" ? "now" : "no longer"} sent to ${address}`;
}

const hiddenAddress = "an address that is not shown";

function isShown(sink: unknown): sink is string {
  return typeof sink === "string" && preview.isShown(sink) && URL.canParse(sink);
}

/** The origin of the address. The rest may be secret. */
function originOf(sink: unknown): string {
  return isShown(sink) ? new URL(sink).origin : hiddenAddress;
}
