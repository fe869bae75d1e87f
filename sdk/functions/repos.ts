import { repo } from "../../provider/kinds/repo";
import {
  dataSources,
  type GetArgsOf,
  type GetFunction,
  type GetResultOf,
  type ListArgsOf,
  type ListFunction,
  type ListResultOf,
} from "./data-sources";
import type { GetOutputFunction, ListOutputFunction } from "./output-form";

const repos = dataSources(repo);

/** Which repository: by its uid or by its name. */
export type GetRepoArgs = GetArgsOf<typeof repo>;

/** A repository as the platform returns it. */
export interface GetRepoResult extends GetResultOf<typeof repo> {}

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
export const getRepo: GetFunction<GetRepoArgs, GetRepoResult> = repos.one;

/** {@link getRepo} for arguments that may be outputs. */
export const getRepoOutput: GetOutputFunction<GetRepoArgs, GetRepoResult> = repos.oneOutput;

/** Filters and order of {@link getRepos}. */
export type GetReposArgs = ListArgsOf<typeof repo>;

/** The result of {@link getRepos}. */
export interface GetReposResult extends ListResultOf<typeof repo> {}

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
export const getRepos: ListFunction<GetReposArgs, GetReposResult> = repos.all;

/** {@link getRepos} for arguments that may be outputs. */
export const getReposOutput: ListOutputFunction<GetReposArgs, GetReposResult> = repos.allOutput;
