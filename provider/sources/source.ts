import type { z } from "zod";
import type { PlatformClient } from "../client/client";
import type { Collection } from "../client/collection";

/** Rules of a function's arguments, by name. */
export type ArgumentRules = Readonly<Record<string, z.ZodType>>;

/** Arguments that exclude each other. The key excludes the names in its list. */
export type Exclusions = Readonly<Record<string, readonly string[]>>;

/** Arguments that have passed the checks of a data source. */
export type Asked = Readonly<Record<string, unknown>>;

/** The reader of data sources, which is a client or an object that shares the answers of one. */
export type Reader = Pick<PlatformClient, "get" | "list" | "listUpTo" | "lookUpIdentity">;

/** A data source, with its arguments and its reading by a {@link Reader} or more. */
export interface Source<Result, ReadsWith = Reader> {
  /** Name of the function: `getRole`. Error messages begin with it. */
  readonly call: string;
  /** The API area, which is the module of its token: `platform:iam:getRole`. */
  readonly area: Collection<never>["area"];
  /** Rules of every argument. They may depend on which arguments are given. */
  rules(asked: object): ArgumentRules;
  /** Default: none. */
  readonly excludes?: Exclusions;
  /** Explains the arguments to pass if none is given. Default: no argument is needed. */
  readonly usage?: string;
  /** Whether the result is a secret. Default: only if an argument is secret. */
  readonly isSecret?: true;
  /**
   * Reads from the platform.
   *
   * @param configuration its `organization` is the uid of the root group. Default: not configured
   * @throws PlatformError
   */
  read(asked: Asked, reader: ReadsWith, configuration?: { readonly organization?: string }): Promise<Result>;
}

/** A data source that reads with a whole client, or only with a {@link Reader}. */
export type ClientSource<Result> = Source<Result, PlatformClient>;
