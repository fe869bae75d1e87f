import type { InputsOf } from "../provider/kinds/fields";
import { identity } from "../provider/kinds/identity";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** Which OIDC tokens may assume an identity. */
export type ClaimMatch = InputsOf<(typeof identity)["fields"]>["claimMatch"];

/** The arguments of an {@link Identity}. */
export interface IdentityArgs extends ArgsOf<typeof identity> {}

/** The outputs of an {@link Identity} besides `uid`. */
export interface Identity extends OutputsOf<typeof identity> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const IdentityResource: ResourceClass<typeof identity> = resourceClass(identity);

/**
 * An identity: who may log in, with which OIDC token.
 *
 * @example
 * ```ts
 * import { githubActions, Identity } from "pulumi-platform";
 *
 * export const deployer = new Identity("deployer", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: githubActions({ repository: "acme/shop", branch: "main" }),
 * });
 * ```
 */
export class Identity extends IdentityResource {}
