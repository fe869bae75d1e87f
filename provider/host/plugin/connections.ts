import { PlatformError } from "../../client/errors";

/** A provider that an engine has loaded. */
export interface LoadedProvider {
  /** `loaded` until it is configured, `ended` after the engine has cancelled its run. Some are never configured. */
  readonly phase: "loaded" | "serving" | "ended";
}

/** The error for a call whose provider is unknown. */
export class Undecided extends PlatformError {
  constructor() {
    super(
      "CONFIGURATION",
      "The engine has connected again, and this process has served several providers, so it is unknown which one this call is for. " +
        "Nothing was sent. Start the process again, and run the command again.",
    );
  }
}

/**
 * The providers of this process. A call does not name its provider, but an engine opens a connection for each provider that it loads, so the
 * connection tells them apart.
 */
// See docs/contributing/engine.md#attached-providers.
export class Connections<Provider extends LoadedProvider> {
  readonly #providers = new Map<string, Provider>();

  /**
   * @param load makes the provider of a new connection
   * @param onUndecided called before each {@link Undecided}
   */
  constructor(
    private readonly load: () => Provider,
    private readonly onUndecided: (error: Undecided) => void = () => undefined,
  ) {}

  /** Every loaded provider. Ended ones are kept, so that their late calls never reach another provider. */
  get all(): ReadonlySet<Provider> {
    return new Set(this.#providers.values());
  }

  /** Loads a provider for the new connection `peer`. */
  loaded(peer: string): Provider {
    return this.#add(peer, this.load());
  }

  /** The provider that the engine loads over the connection `peer`. The system uses the ports of closed connections again. */
  loading(peer: string): Provider {
    const known = this.#providers.get(peer);
    return known === undefined || known.phase === "ended" ? this.loaded(peer) : known;
  }

  /**
   * The provider of a call over `peer`. A connection over which no provider was loaded replaces a lost one.
   *
   * @throws Undecided if this process has served several providers
   */
  serving(peer: string): Provider {
    const own = this.#providers.get(peer);
    if (own !== undefined) return own;
    const [only, another] = [...this.all].filter(({ phase }) => phase !== "loaded");
    if (only?.phase === "serving" && another === undefined) return this.#add(peer, only);
    const error = new Undecided();
    this.onUndecided(error);
    throw error;
  }

  #add(peer: string, provider: Provider): Provider {
    this.#providers.set(peer, provider);
    return provider;
  }
}
