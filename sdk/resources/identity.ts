import { identity } from "../../provider/kinds/identity";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The value that a program gives for a field of an identity. */
type Given<Name extends keyof (typeof identity)["fields"]> = NonNullable<(typeof identity)["fields"][Name]["value"]>;

/** Which OIDC tokens may assume an identity, by keys that their issuer publishes. */
export type ClaimMatch = Given<"claimMatch">;

/** Which OIDC tokens may assume an identity, by keys that the program declares. */
export type StaticKeys = Given<"staticKeys">;

/** Which AWS principals may assume an identity. */
export type AwsIdentity = Given<"awsIdentity">;

/** The arguments of an {@link Identity}: exactly one of `claimMatch`, `staticKeys`, `awsIdentity` and `servicePrincipal`. */
export type IdentityArgs = ArgsOf<typeof identity>;

/** The outputs of an {@link Identity} besides `uid`. */
export interface Identity extends OutputsOf<typeof identity> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const IdentityResource: ResourceClass<typeof identity> = resourceClass(identity);

/**
 * An identity: who may log in, and how it proves itself.
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
