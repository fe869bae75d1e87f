import { kindNames, listedKinds } from "../inventory/kinds";
import { alternatives, shortList } from "../provider/client/printable";
import { unknownValue } from "../provider/schema/inputs";
import type { Values } from "../provider/schema/values";
import { nameOf, type Planned } from "./plan";

/** An object, or the reason why it is not certain. */
export type Ref =
  /** The uid, or a key until the object is made. `taken` is the resource whose uid the value is assumed to be. */
  { readonly key: string; readonly taken?: Planned } | OpenRef;

/** Why it is not certain which object is meant. */
export interface OpenRef {
  readonly open: string;
  /** The object shown in its place. */
  readonly standIn: { readonly kind: string; readonly value: Values };
}

/** A stand-in for any object of the kind. An identity may log in anybody. */
export function anyOf(kind: string, { urn }: Planned, why: string): OpenRef {
  const name = `a ${nounOf(kind)} that is not known yet (${nameOf(urn)})`;
  const login = kind === kindNames.identity ? { claimMatch: unknownValue } : {};
  return { open: why, standIn: { kind, value: { name, ...login } } };
}

/** Why a name means no certain object. */
export const unnamedReason = "the preview does not show what its name means. Pass the uid";

/** Most resources that a reason names. */
const mostNamed = 6;

/** Says that values known only after the update are assumed to be the uids of these resources. */
export function takenReason(resources: readonly Planned[]): string {
  const names = resources.map(({ urn }) => nameOf(urn));
  return `it is known only after the update, and assumed to be ${shortList(names, mostNamed)}, on which it depends`;
}

/** Why the object that a value means is not known. @param candidates the resources on which the value depends */
export function openReason(candidates: readonly Planned[]): string {
  const names = candidates.map(({ urn }) => nameOf(urn));
  const some = names.length > mostNamed ? [...names.slice(0, mostNamed), "another"] : names;
  const whose = some.length === 0 ? "" : `, and may be that of ${alternatives(some)}`;
  return `it is known only after the update${whose}. First apply the resources that it depends on, or pass the uid`;
}

function nounOf(kind: string): string {
  return listedKinds.get(kind)?.collection.noun ?? "group";
}
