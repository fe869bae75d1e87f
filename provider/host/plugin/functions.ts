import { codeOf, messageOf, PlatformError, withCode } from "../../client/errors";
import type { Inputs, Kind, ReadableKind } from "../../schema/kind";
import { kinds, readableKinds } from "../../kinds/kinds";
import { checkAccount } from "../../sources/account-check";
import { argumentProblems } from "../../sources/argument-problems";
import { person } from "../../sources/person";
import { registryCredentials } from "../../sources/registry-credentials";
import { repoReadme } from "../../sources/repo-readme";
import type { Asked, ClientSource } from "../../sources/source";
import { sourceOfAll } from "../../sources/source-of-all";
import { sourceOfOne } from "../../sources/source-of-one";
import { Failure } from "../failure";
import { typeToken } from "./resources";

/** A data source as a function of the plugin. */
export type ServedFunction = ClientSource<object>;

/**
 * Every data source by its token: `platform:iam:getGroup`.
 *
 * @param others data sources declared outside of `provider/`
 */
export function servedFunctions(others: readonly ServedFunction[]): ReadonlyMap<string, ServedFunction> {
  const functions: ServedFunction[] = [
    ...Object.values<ReadableKind>(readableKinds).flatMap((kind) => [sourceOfOne(kind), sourceOfAll(kind)]),
    person,
    checkAccount,
    repoReadme,
    registryCredentials,
    ...others,
  ];
  return new Map(functions.map((each) => [`platform:${each.area}:${each.call}`, each]));
}

/**
 * The arguments that have a value.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function askedOf(source: ServedFunction, args: Inputs): Asked {
  const asked = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null));
  const isEmpty = source.usage !== undefined && Object.keys(asked).length === 0;
  const problems = isEmpty ? [source.usage ?? ""] : argumentProblems(source.rules(asked), asked, source.excludes);
  if (problems.length > 0)
    throw new PlatformError("INVALID_INPUT", `${source.call}: ${[...problems, "Nothing was sent."].join(" ")}`);
  return asked;
}

/** `error` of a call of `source`, for people. */
export function failureOf({ call }: ServedFunction, error: unknown): Failure {
  return new Failure(withCode(codeOf(error), `${call}: ${messageOf(error).replace(`${call}: `, "")}`));
}

/** An object in the answer to the engine's List. */
export interface Listed {
  readonly id: string;
  /** Empty if objects of the type have no name. */
  readonly name: string;
}

/** The data sources that find all objects of a type of resources, by the token of the type. */
export function servedLists(): ReadonlyMap<string, ServedFunction> {
  return new Map(Object.values<Kind>(kinds).map((kind) => [typeToken(kind), sourceOfAll(kind)]));
}

/** The objects in the result of a data source of this sort. */
export function listedIn(result: object): Listed[] {
  const rows = Object.values(result as Record<string, { uid: string; name?: unknown }[]>).flat();
  return rows.map(({ uid, name }) => ({ id: uid, name: typeof name === "string" ? name : "" }));
}
