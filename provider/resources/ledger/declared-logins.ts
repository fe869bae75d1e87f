import { identity } from "../../kinds/identity";
import { type Inputs, isKind, type Kind } from "../../schema/kind";

/** Issuer and subject of a login, exactly. */
export interface Login {
  readonly issuer: string;
  readonly subject: string;
}

/**
 * The logins of the identities that the program declares. An identity of the program may not exist yet, or still have its old login, so a
 * reference to its login must not mean a person.
 */
export class DeclaredLogins {
  readonly #logins = new Set<string>();

  /** Records the login of `inputs`, if they are those of an identity with one. */
  record(kind: Pick<Kind, "collection">, { claimMatch, staticKeys }: Inputs): void {
    if (!isKind(kind, identity)) return;
    for (const form of [claimMatch, staticKeys] as (Inputs | null | undefined)[]) {
      const [issuer, subject] = [form?.["issuer"], form?.["subject"]];
      if (typeof issuer === "string" && typeof subject === "string") this.#logins.add(loginKey({ issuer, subject }));
    }
  }

  has(login: Login): boolean {
    return this.#logins.has(loginKey(login));
  }
}

/** The login as a key. */
export function loginKey({ issuer, subject }: Login): string {
  return JSON.stringify([issuer, subject]);
}
