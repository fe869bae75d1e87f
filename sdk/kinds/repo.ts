import { type RepoReadme, repoReadme } from "../../provider/sources/repo-readme";
import * as data from "../functions/data-sources";
import { type ArgsOf, type Given, type OutputsOf, resourceClass } from "../resources/declared";

/** From where the platform synchronises a repo. */
export type SyncConfig = Given<"repo", "sync_config">;

/** Additions of the platform to the images of a repo. */
export type CustomOverlay = Given<"repo", "customOverlay">;

/** The arguments of a {@link Repo}. */
export type RepoArgs = ArgsOf<"repo">;

/** The outputs of a {@link Repo} besides `uid`. */
export interface Repo extends OutputsOf<"repo"> {}

/**
 * A repo, which is a named place for images in a group. By default the repo stays on the platform when the resource is deleted; see
 * `deletionPolicy`.
 *
 * @example
 * ```ts
 * import { Repo } from "pulumi-platform";
 *
 * export const shop = new Repo("shop", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   description: "Images of the shop",
 *   aliases: ["shop:stable"],
 * });
 * ```
 */
export class Repo extends resourceClass("repo") {}

/** Which repository: by its uid or by its name. */
export type GetRepoArgs = data.GetArgsOf<"repo">;

/** A repository as the platform returns it. */
export interface GetRepoResult extends data.GetResultOf<"repo"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("repo");

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
export const getRepo: data.GetFunction<GetRepoArgs, GetRepoResult> = one;

/** {@link getRepo} for arguments that may be outputs. */
export const getRepoOutput: data.GetOutputFunction<GetRepoArgs, GetRepoResult> = oneOutput;

/** Filters and order of {@link getRepos}. */
export type GetReposArgs = data.ListArgsOf<"repo">;

/** The result of {@link getRepos}. */
export interface GetReposResult extends data.ListResultOf<"repo"> {}

/**
 * Every repository that the filters select.
 *
 * @example
 * ```ts
 * import { getReposOutput } from "pulumi-platform";
 *
 * export const newestFirst = getReposOutput({ orderBy: "created_at desc" });
 * ```
 */
export const getRepos: data.ListFunction<GetReposArgs, GetReposResult> = all;

/** {@link getRepos} for arguments that may be outputs. */
export const getReposOutput: data.ListOutputFunction<GetReposArgs, GetReposResult> = allOutput;

/** The repo whose README to read. */
export interface GetRepoReadmeArgs {
  /** Uid of the repo. */
  uid: string;
}

/** The result of {@link getRepoReadme}. */
export interface GetRepoReadmeResult extends RepoReadme {}

/**
 * The README of a repo, as Markdown. Programs can only read it, because only the platform's staff can write one.
 *
 * @example
 * ```ts
 * import { getRepoOutput, getRepoReadmeOutput } from "pulumi-platform";
 *
 * const nginx = getRepoOutput({ parentUid: "0123456789abcdef0123456789abcdef01234567", name: "nginx" });
 * export const readme = getRepoReadmeOutput({ uid: nginx.uid }).content;
 * ```
 */
export const getRepoReadme: data.GetFunction<GetRepoReadmeArgs, GetRepoReadmeResult> = data.plainForm(repoReadme);

/** {@link getRepoReadme} for arguments that may be outputs. */
export const getRepoReadmeOutput: data.GetOutputFunction<GetRepoReadmeArgs, GetRepoReadmeResult> = data.outputForm(repoReadme);
