import { repos } from "../../provider/client/registry";
import { uid } from "../../provider/kinds/inputs";
import { someText } from "./arguments";
import { type ByName, type ByUid, type Either, type GetFunction, sourceOfOne, under } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

/** Which repository: by its uid or by its name. */
export type GetRepoArgs = Either<ByUid, ByName>;

/** A registry repository as the platform returns it. */
export interface GetRepoResult {
  readonly uid: string;
  readonly name: string;
  /** Empty if unset. */
  readonly description: string;
  /** `CATALOG_TIER_…`; empty if unknown. */
  readonly catalogTier: string;
  readonly bundles: string[];
  /** Other names of the repository's images, `name:tag`. */
  readonly aliases: string[];
  readonly activeTags: string[];
  /** RFC 3339. */
  readonly createTime: string | null;
  /** RFC 3339. */
  readonly updateTime: string | null;
}

const one: Source<GetRepoResult> = sourceOfOne("getRepo", {
  collection: repos,
  key: { name: someText, parentUid: uid.optional() },
  query: ({ name, parentUid }) => ({ name, ...under(parentUid) }),
});

/**
 * One repository, by its uid or by its name.
 *
 * @example
 * ```ts
 * import { getRepoOutput } from "pulumi-platform";
 *
 * export const tier = getRepoOutput({ name: "web-server" }).catalogTier;
 * ```
 */
export const getRepo: GetFunction<GetRepoArgs, GetRepoResult> = plainForm(one);

/** {@link getRepo} for arguments that may be outputs. */
export const getRepoOutput: GetOutputFunction<GetRepoArgs, GetRepoResult> = outputForm(one);

/** Filters and order of {@link getRepos}. */
export interface GetReposArgs extends ListArgs {
  /** Only repositories of this name, exactly. */
  name?: string | undefined;
}

/** The result of {@link getRepos}. */
export interface GetReposResult {
  readonly repos: GetRepoResult[];
}

const all: Source<GetReposResult> = sourceOfAll("getRepos", repos, { name: someText }, (rows) => ({
  repos: rows,
}));

/**
 * Every repository that the filters select.
 *
 * @example
 * ```ts
 * import { getReposOutput } from "pulumi-platform";
 *
 * export const newestFirst = getReposOutput({ orderBy: "created_at desc" }).repos.apply((repos) => repos.map((repo) => repo.name));
 * ```
 */
export const getRepos: ListFunction<GetReposArgs, GetReposResult> = plainForm(all);

/** {@link getRepos} for arguments that may be outputs. */
export const getReposOutput: ListOutputFunction<GetReposArgs, GetReposResult> = outputForm(all);
