import { accountAssociation } from "../../provider/kinds/account-association";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of an {@link AccountAssociation}. */
export type AccountAssociationArgs = ArgsOf<typeof accountAssociation>;

/** The outputs of an {@link AccountAssociation} besides `uid`, which is that of the group. */
export interface AccountAssociation extends OutputsOf<typeof accountAssociation> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const AccountAssociationResource: ResourceClass<typeof accountAssociation> = resourceClass(accountAssociation);

/**
 * An account association: a group's accounts with cloud providers and GitHub. A group has at most one.
 *
 * @example
 * ```ts
 * import { AccountAssociation } from "pulumi-platform";
 *
 * export const accounts = new AccountAssociation("accounts", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   amazon: { account: "123456789012" },
 *   google: { projectId: "acme-shop", projectNumber: "1234567890" },
 * });
 * ```
 */
export class AccountAssociation extends AccountAssociationResource {}
