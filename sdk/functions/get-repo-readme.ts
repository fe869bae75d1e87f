import { type RepoReadme, repoReadme } from "../../provider/sources/repo-readme";
import type { GetFunction } from "./data-sources";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm } from "./source";

/** The repo whose README to read. */
export interface GetRepoReadmeArgs {
  /** Uid of the repo. */
  uid: string;
}

/** The result of {@link getRepoReadme}. */
export interface GetRepoReadmeResult extends RepoReadme {}

/**
 * The README of a repo, as Markdown. Programs can only read it: only the platform's staff can write one.
 *
 * @example
 * ```ts
 * import { getRepoOutput, getRepoReadmeOutput } from "pulumi-platform";
 *
 * const nginx = getRepoOutput({ parentUid: "0123456789abcdef0123456789abcdef01234567", name: "nginx" });
 * export const readme = getRepoReadmeOutput({ uid: nginx.uid }).content;
 * ```
 */
export const getRepoReadme: GetFunction<GetRepoReadmeArgs, GetRepoReadmeResult> = plainForm(repoReadme);

/** {@link getRepoReadme} for arguments that may be outputs. */
export const getRepoReadmeOutput: GetOutputFunction<GetRepoReadmeArgs, GetRepoReadmeResult> = outputForm(repoReadme);
