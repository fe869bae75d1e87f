import { identity, type RelationshipType } from "../../provider/kinds/identity";
import { uid } from "../../provider/kinds/inputs";
import { oneOf, someText } from "./arguments";
import { type ByName, type ByUid, type Either, type GetFunction, sourceOfOne, under } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

export type { RelationshipType } from "../../provider/kinds/identity";

/** Which identity: by its uid or by its name. */
export type GetIdentityArgs = Either<ByUid, ByName>;

/** An identity as the platform returns it. */
export interface GetIdentityResult {
  readonly uid: string;
  readonly name: string;
  /** Empty if unset. */
  readonly description: string;
  /** Verified e-mail address of a person; empty for others. */
  readonly email: string;
  /** E-mail address of a person that is not verified; empty for others. */
  readonly emailUnverified: string;
  /** Empty when there is none. */
  readonly company: string;
  /** Which OIDC tokens may assume it, by keys that their issuer publishes; undefined if it authenticates in another way. */
  readonly claimMatch: Record<string, unknown> | undefined;
  /** Which OIDC tokens may assume it, by keys that the platform stores; undefined if it authenticates in another way. */
  readonly staticKeys: Record<string, unknown> | undefined;
  /** Which AWS principals may assume it; undefined if it authenticates in another way. */
  readonly awsIdentity: Record<string, unknown> | undefined;
  /** The service of the platform that it stands for, `SERVICE_PRINCIPAL_…`; empty if it authenticates in another way. */
  readonly servicePrincipal: string;
  /** When it was last assumed, RFC 3339. */
  readonly lastSeenTime: string | null;
  /** RFC 3339. */
  readonly createTime: string | null;
  /** RFC 3339. */
  readonly updateTime: string | null;
}

const one: Source<GetIdentityResult> = sourceOfOne("getIdentity", {
  collection: identity.collection,
  key: { name: someText, parentUid: uid.optional() },
  query: ({ name, parentUid }) => ({ name, ...under(parentUid) }),
});

/**
 * One identity, by its uid or by its name.
 *
 * @example
 * ```ts
 * import { getIdentityOutput } from "pulumi-platform";
 *
 * export const deployerUid = getIdentityOutput({
 *   name: "deployer",
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 * }).uid;
 * ```
 */
export const getIdentity: GetFunction<GetIdentityArgs, GetIdentityResult> = plainForm(one);

/** {@link getIdentity} for arguments that may be outputs. */
export const getIdentityOutput: GetOutputFunction<GetIdentityArgs, GetIdentityResult> = outputForm(one);

/** Filters and order of {@link getIdentities}. */
export interface GetIdentitiesArgs extends ListArgs {
  /** Only identities of this name, exactly. */
  name?: string | undefined;
  /** Only identities that authenticate in this way. */
  relationshipType?: RelationshipType | undefined;
}

/** The result of {@link getIdentities}. */
export interface GetIdentitiesResult {
  readonly identities: GetIdentityResult[];
}

const all: Source<GetIdentitiesResult> = sourceOfAll(
  "getIdentities",
  identity.collection,
  {
    name: someText,
    relationshipType: oneOf(
      "RELATIONSHIP_TYPE_CLAIM_MATCH",
      "RELATIONSHIP_TYPE_STATIC",
      "RELATIONSHIP_TYPE_AWS_IDENTITY",
      "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL",
    ),
  },
  (rows) => ({ identities: rows }),
);

/**
 * Every identity that the filters select.
 *
 * @example
 * ```ts
 * import { getIdentitiesOutput } from "pulumi-platform";
 *
 * const all = getIdentitiesOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * export const neverSeen = all.identities.apply((identities) =>
 *   identities.filter((identity) => identity.lastSeenTime === null).map((identity) => identity.name),
 * );
 * ```
 */
export const getIdentities: ListFunction<GetIdentitiesArgs, GetIdentitiesResult> = plainForm(all);

/** {@link getIdentities} for arguments that may be outputs. */
export const getIdentitiesOutput: ListOutputFunction<GetIdentitiesArgs, GetIdentitiesResult> = outputForm(all);
