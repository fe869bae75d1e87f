import { literal } from "../../client/printable";
import { parentOf } from "../../client/uid";
import type { Inputs, Kind } from "../../schema/kind";
import { type DeclaredReference, type IdentityRef, isUnknown } from "../../schema/references";
import type { Login } from "../ledger/declared-logins";
import { parentAt } from "./group-path";
import { identityNamed, unseenLogin } from "./identity-ref";
import type { Searching } from "./needs";
import { problem } from "./problem";
import { roleNamed } from "./role-name";

/** `references` in the order in which they are resolved: the parent first, because other names are looked up from there. */
export function parentFirst(kind: Kind, references: readonly DeclaredReference[]): readonly DeclaredReference[] {
  const isParent = ({ uid }: DeclaredReference) => uid === kind.parentInput;
  return [...references.filter(isParent), ...references.filter((each) => !isParent(each))];
}

/**
 * The uid that one reference of `inputs` means now. Their parent is resolved; a preview may not know it yet.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`, `INVALID_INPUT`, with what to do
 */
export async function uidOf(kind: Kind, reference: DeclaredReference, inputs: Inputs, run: Searching): Promise<string> {
  const { name, to, uid } = reference;
  const [text, group] = [inputs[name], inputs[reference.place ?? kind.parentInput]];
  const place = typeof group === "string" ? group : "";
  switch (to) {
    case "group":
      return parentAt(name, String(text), run);
    case "role":
      return roleNamed({ name, uid }, String(text), isUnknown(group) ? undefined : place, run);
    case "identity":
      return identityNamed(name, text as IdentityRef, place, run);
  }
}

/**
 * {@link uidOf} a reference that is not as in `olds`. Tells the user that a login means a person: the platform has a uid for every
 * login, also for a misspelt one.
 *
 * @throws PlatformError see {@link uidOf}; `INVALID_INPUT` if `olds` mean an identity of the organisation, whose login may only have changed
 */
export async function newMeaning(
  kind: Kind,
  reference: DeclaredReference,
  { olds, known }: { readonly olds: Inputs; readonly known: Inputs },
  run: Searching & { readonly notify: (message: string) => void },
): Promise<string> {
  const uid = await uidOf(kind, reference, known, run);
  if (!isPerson(reference, uid)) return uid;
  const { name, uid: argument } = reference;
  const before = olds[argument];
  const found = "no identity of the organisation has this issuer and subject, so it means the person with that login";
  if (typeof before === "string" && parentOf(before) !== undefined) {
    const why = `${found} (${uid}), and no longer the identity ${before}. Pass the uid of the one you mean as ${argument}.`;
    throw problem("INVALID_INPUT", name, known[name], why);
  }
  run.notify(`${name} ${literal(known[name])}: ${found} (${uid}).`);
  return uid;
}

/** True if the reference means a person: an identity of no organisation. */
function isPerson({ to }: DeclaredReference, uid: unknown): boolean {
  return to === "identity" && typeof uid === "string" && parentOf(uid) === undefined;
}

/** @throws PlatformError `INVALID_INPUT` if check found the person `uid`, and the program declares an identity with that login */
export function rejectOwnLogin(reference: DeclaredReference, uid: unknown, login: unknown, run: Pick<Searching, "ledger">): void {
  if (isPerson(reference, uid) && run.ledger.logins.has(login as Login)) throw unseenLogin(reference.name, login);
}
