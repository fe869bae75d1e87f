import { resolve } from "node:path";
import { seed, type SeedSize } from "./seed/seed";
import { serve } from "./serving/serving";

/** Options of {@link startEmulator}. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1; 0 picks a free one. Defaults to 4010. */
  readonly port?: number;
  /** Data file, in an existing folder. Defaults to memory. */
  readonly data?: string;
  /**
   * The content of a new organisation. `minimal` has an object of every kind. `sample` also has a group `operations` with subgroups,
   * identities of every form, a custom role and more, like the command's. `large` also has about 5,000 objects in twelve groups. Has no
   * effect on an existing data file. Defaults to `minimal`.
   */
  readonly seed?: SeedSize;
  /** `true` means `seed: "sample"`, from the time when there were only two sizes. */
  readonly sample?: boolean;
}

/** A running emulator. */
export interface Emulator {
  /** Address of the API. */
  readonly baseUrl: string;
  /** Address of the token exchange. */
  readonly authUrl: string;
  /** The emulator's own OIDC issuer. */
  readonly issuer: string;
  /** Uid of the root group. */
  readonly organization: string;
  /** Uid of an identity that owns the root group. */
  readonly identity: string;
  /** File with a valid OIDC token that may assume that identity. */
  readonly oidcTokenFile: string;
  /** Address of the admin API. */
  readonly adminUrl: string;
  /** Ends every connection, closes the data file and deletes temporary files. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the platform on this machine.
 * @throws {Error} if the port or the data file is in use, or if the folder of the data file does not exist.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 4010, data, sample = false, seed: size = sample ? "sample" : "minimal" } = options;
  const file = data === undefined ? undefined : resolve(data);
  const serving = await serve({
    port,
    file,
    fill: (database, store, { issuer }) => seed(database, store, issuer, size),
  });
  const { addresses, content, oidcTokenFile } = serving;
  return { ...addresses, ...content, oidcTokenFile, close: () => serving.close() };
}
