import { isDeepStrictEqual } from "node:util";
import { PlatformError } from "../../client/errors";
import type { CheckResult } from "../../resources/object/check";
import type { Run } from "../../resources/run/run";
import { hasUnknown, pathArgument } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import { pathOfUrn } from "../../schema/path";
import { configurationOf, type Settings } from "../explicit-provider";
import { checked } from "../checked";
import type { RunOf } from "../session";
import { withChangedUids } from "./changed-uids";
import { claimsOf } from "./claim-functions";
import { checkConfiguration, settingsIn } from "./configuration";
import type { LoadedProvider } from "./connections";
import { type DetailedDiff, detailedDiff, propertyOf } from "./detailed-diff";
import { Unimplemented } from "./failure-status";
import { askedOf, failureOf, type Listed, listedIn, type ServedFunction, servedFunctions, servedLists } from "./functions";
import { withoutIgnored } from "./ignored-changes";
import { Interruptions } from "./interruptions";
import { type Served, servedResources } from "./resources";
import type { Existing, Subject } from "./subject";

/** A change that the engine asks for. */
export interface Request {
  /** `preview`: only the known outputs are wanted. */
  readonly is: "preview" | "change";
  /** Time limit in seconds; 0 for none. */
  readonly seconds: number;
}

/** A resource in the state and in the program. */
interface Compared {
  readonly olds: Inputs;
  readonly news: Inputs;
}

/** The result of a diff, with the differences by path. */
export interface PluginDiff {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly names: readonly string[];
  /** Properties of `detailed` whose change replaces the object. */
  readonly replacing: readonly string[];
  readonly detailed: DetailedDiff;
}

/** An object in the answer to the engine's Read and Create. */
export interface Answered {
  readonly id: string;
  readonly outs: Inputs;
  readonly inputs: Inputs;
}

/**
 * The provider by the engine's protocol, without the encoding. It serves the same lives as the dynamic provider host, and the calls that
 * only the protocol has.
 */
// See docs/contributing/engine.md#the-plugin-protocol.
export class Plugin implements LoadedProvider {
  readonly #served = servedResources();
  readonly #interruptions = new Interruptions();
  // Their rules take milliseconds to build, and most runs call none.
  #functions: ReturnType<typeof servedFunctions> | undefined;
  #lists: ReturnType<typeof servedLists> | undefined;
  #settings: Settings = {};
  #run: Run | undefined;
  #isConfigured = false;

  /**
   * @param others data sources declared outside of `provider/`
   * @param runOf opens the run of these settings
   */
  constructor(
    private readonly others: readonly ServedFunction[],
    private readonly runOf: RunOf,
  ) {}

  checkConfig(news: Inputs, name: string): CheckResult {
    return checkConfiguration(news, name);
  }

  /**
   * Begins the run of the provider `name`.
   *
   * @throws PlatformError `CONFIGURATION` if this provider has other settings already, to which its resources must not be moved
   */
  configure(inputs: Inputs, name: string): void {
    const settings = settingsIn(inputs, name);
    if (!this.#isConfigured || isDeepStrictEqual(settings, this.#settings)) {
      this.#isConfigured = true;
      this.#settings = settings;
      return;
    }
    throw new PlatformError(
      "CONFIGURATION",
      "This connection already serves a provider with other settings. An engine opens one connection for each provider.",
    );
  }

  get phase(): LoadedProvider["phase"] {
    if (!this.#isConfigured) return "loaded";
    return this.#interruptions.isCancelled ? "ended" : "serving";
  }

  check({ urn, type, name }: Subject, olds: Inputs, news: Inputs): Promise<CheckResult> {
    const { isNamed } = this.#of(type);
    const isNameless = isNamed && (news["name"] ?? undefined) === undefined;
    const inputs = isNameless ? { ...news, name } : news;
    return this.#interruptions.within(0, () =>
      checked(inputs, async () =>
        this.#of(type).life.check(olds, { ...inputs, [pathArgument]: pathOfUrn(urn) }, this.#running()),
      ),
    );
  }

  /** @param ignored paths at which the program ignores changes */
  async diff(subject: Existing, { olds, news }: Compared, ignored: readonly string[]): Promise<PluginDiff> {
    const { id } = subject;
    const path = pathOfUrn(subject.urn);
    const { life, change } = this.#of(subject.type);
    // The diff of a refresh comes before the check. In an update the engine itself has put the ignored values back.
    const before = this.#running().ledger.declarations.isChecked(path) ? "update" : "refresh";
    const declared = before === "update" ? news : withoutIgnored(ignored, olds, news);
    const result = await this.#interruptions.within(0, async () => life.diff(id, olds, declared, this.#running(), path));
    const { paths, uids, ...sides } = change(olds, declared);
    const names = [...new Set(paths.flatMap(([name]) => name ?? []))];
    const detailed = withChangedUids(detailedDiff(paths, sides.before, sides.after), uids, before);
    const drifted = uids.flatMap(({ uid, reference }) => (reference === undefined ? [] : [{ uid, reference }]));
    const isShown = (name: string) =>
      Object.keys(detailed).some((path) => propertyOf(path) === name) || drifted.some(({ reference }) => reference === name);
    // A property may replace the object although its own text is the same, if another change makes it immutable.
    const hidden = [...new Set([...names, ...result.replaces])].filter((name) => !isShown(name));
    return {
      ...result,
      names,
      replacing: [
        ...result.replaces,
        ...drifted.flatMap(({ uid, reference }) => (result.replaces.includes(reference) ? [uid] : [])),
      ],
      detailed: { ...detailed, ...Object.fromEntries(hidden.map((name) => [name, "update" as const])) },
    };
  }

  async create({ type, urn }: Subject, inputs: Inputs, { is, seconds }: Request): Promise<Answered> {
    const { life, created } = this.#of(type);
    if (is === "preview") return { id: "", outs: created(inputs), inputs };
    this.#running().ledger.imports.created(pathOfUrn(urn));
    const { id, outs } = await this.#interruptions.within(seconds, async () => life.create(inputs, this.#running()));
    return { id, outs, inputs };
  }

  /**
   * Reads an object for a refresh, for an import, and for `get`.
   *
   * @param isImport the id may be a name, because the engine takes the uid from the answer. For a `get` it would be lost to the program
   * @returns undefined if it is provably gone
   */
  async read({ type, id, urn }: Existing, state: Inputs, isImport: boolean): Promise<Answered | undefined> {
    const { life } = this.#of(type);
    const observed = await this.#interruptions.within(0, async () =>
      isImport ? life.import(id, this.#running(), pathOfUrn(urn)) : life.read(id, state, this.#running()),
    );
    return observed === undefined ? undefined : { id: observed.id, outs: observed.props, inputs: observed.inputs };
  }

  /** @returns the outputs */
  async update({ type, id }: Existing, { olds, news }: Compared, { is, seconds }: Request): Promise<Inputs> {
    const { life, updated } = this.#of(type);
    if (is === "preview") return updated(olds, news);
    return this.#interruptions.within(seconds, async () => life.update(id, olds, news, this.#running()));
  }

  /** @param seconds time limit; 0 for none */
  async delete(subject: Existing, state: Inputs, seconds: number): Promise<void> {
    const { id, type, urn } = subject;
    const { life } = this.#of(type);
    await this.#interruptions.within(seconds, async () => life.delete(id, state, this.#running(), pathOfUrn(urn)));
  }

  /** The result of the data source or the claim helper `token`, and whether it is a secret. */
  async invoke(token: string, args: Inputs): Promise<{ result: object; isSecret: boolean }> {
    const claims = claimsOf(token, args);
    if (claims !== undefined) return { result: claims, isSecret: false };
    const source = (this.#functions ??= servedFunctions(this.others)).get(token);
    if (source === undefined) throw new Unimplemented(`${token} is not a function of this provider.`);
    return { result: await this.#read(source, args), isSecret: source.isSecret ?? false };
  }

  /**
   * The objects of a type that `query` selects.
   *
   * @param limit of their number; less than 1 for none
   * @returns undefined if a preview does not know the query yet
   */
  async list(type: string, query: Inputs, limit: number): Promise<Listed[] | undefined> {
    const source = (this.#lists ??= servedLists()).get(type);
    if (source === undefined) throw new Unimplemented(`The platform has no list of ${type}.`);
    if (hasUnknown(query)) return undefined;
    const listed = listedIn(await this.#read(source, query));
    return limit < 1 ? listed : listed.slice(0, limit);
  }

  /** Ends the calls in flight, see {@link Interruptions.cancel}. */
  cancel(): void {
    this.#interruptions.cancel();
  }

  /**
   * Ends the run after the engine has ended. If calls were cut short, the journal stays for the next run, because the state may lack created
   * objects.
   */
  close(): void {
    if (!this.#interruptions.isCutShort) this.#run?.ledger.notes.close();
  }

  async #read(source: ServedFunction, args: Inputs): Promise<object> {
    const asked = askedOf(source, args);
    try {
      const configuration = configurationOf(this.#settings, process.env);
      const { client } = this.#running();
      return await this.#interruptions.within(0, () => source.read(asked, client, configuration));
    } catch (error) {
      throw failureOf(source, error);
    }
  }

  /** The run of the provider that this process serves. @throws PlatformError `CONFIGURATION` */
  #running(): Run {
    return (this.#run ??= this.runOf(this.#settings));
  }

  #of(type: string): Served {
    const served = this.#served.get(type);
    if (served === undefined) throw new Unimplemented(`${type} is not a resource of this provider.`);
    return served;
  }
}
