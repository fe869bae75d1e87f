import type { Collection, WireObject } from "./collection";
import type { RegistryTokenRequest } from "./token-source";

/** A call that may change something, before it is sent. */
export interface ProposedCall {
  readonly method: string;
  /** Path with `{version}` for the API version. */
  readonly path: string;
  readonly body?: object;
}

/** The client of a call, to read objects and to name its own identity. */
export interface BoundClient {
  get<Wire extends WireObject>(collection: Collection<Wire>, uid: string): Promise<Wire>;
  caller(): Promise<{ readonly uid: string } | undefined>;
}

/** The limits of a process that may only do what was rehearsed. */
export interface Bounds {
  /** The origins to which requests may go. */
  readonly origins: readonly string[];
  /** Sends a call that is within the limits by `send`. @throws PlatformError `NOT_REHEARSED` for any other call, before it is sent */
  within(client: BoundClient, call: ProposedCall, send: () => Promise<unknown>): Promise<unknown>;
  /** Permits a token of a registry. @throws PlatformError `NOT_REHEARSED` */
  permitRegistryToken(client: BoundClient, request: RegistryTokenRequest): Promise<void>;
}

let limits: Bounds | undefined;

/** Sets the limits of this process, before its first request. No setting and no provider of a program can change them. */
// See docs/decisions/0065-a-bound-run-is-checked-on-the-wire.md.
export function bindProcess(to: Bounds): void {
  limits = to;
}

/** The limits of this process; undefined if it has none. */
export function bounds(): Bounds | undefined {
  return limits;
}
