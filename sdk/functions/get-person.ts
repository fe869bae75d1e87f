import { person } from "../../provider/sources/person";
import type { GetFunction } from "./data-sources";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm } from "./source";

/** A person, by their login on the platform. */
export interface GetPersonArgs {
  /** Issuer of the tokens with which the person logs in, exactly: an https URL. */
  issuer: string;
  /** Subject of these tokens, exactly. */
  subject: string;
}

/** The result of {@link getPerson}. */
export interface GetPersonResult {
  /** Uid of the person's identity; before the first login, the later uid. */
  readonly uid: string;
}

/**
 * The identity of a person, by issuer and subject. It need not exist, because a role can be bound to people before they sign up. The
 * platform has a uid for every login, so a misspelt subject is not an error.
 *
 * @example
 * ```ts
 * import { getPersonOutput, RoleBinding } from "pulumi-platform";
 *
 * const zoe = getPersonOutput({ issuer: "https://accounts.example.com", subject: "108204268033311374519" });
 * export const zoeViewer = new RoleBinding("zoe-viewer", { parentPath: "acme/engineering", identityUid: zoe.uid, roleName: "viewer" });
 * ```
 */
export const getPerson: GetFunction<GetPersonArgs, GetPersonResult> = plainForm(person);

/** {@link getPerson} for arguments that may be outputs. */
export const getPersonOutput: GetOutputFunction<GetPersonArgs, GetPersonResult> = outputForm(person);
