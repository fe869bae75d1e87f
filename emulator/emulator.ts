import { resolve } from "node:path";
import { seed, type SeedSize } from "./seed/seed";
import { copyIn } from "../copy/emulated";
import type { CopyReport } from "../copy/report";
import { type Content, serve } from "./serving/serving";

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
  /**
   * Uid or name of an organisation to copy, instead of `seed`: everything that the credentials of the environment (`PLATFORM_BASE_URL`,
   * `PLATFORM_TOKEN` and so on) may list there, under the same uids and without secrets. A data file that holds the copy already is not
   * read again.
   */
  readonly copyOf?: string;
  /** Hides logins and addresses of people in the copy. Defaults to false. */
  readonly hidePeople?: boolean;
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
  /** File with a valid OIDC token that may assume that identity, and in a copy every other one too. */
  readonly oidcTokenFile: string;
  /** Address of the admin API. */
  readonly adminUrl: string;
  /** Present if the content is a copy. */
  readonly copy?: CopyReport;
  /** Ends every connection, closes the data file and deletes temporary files. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the platform on this machine.
 * @throws {Error} if the port or the data file is in use, if the folder of the data file does not exist, or if the organisation of `copyOf`
 * cannot be read.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 4010, data, sample = false, seed: size = sample ? "sample" : "minimal", copyOf, hidePeople = false } = options;
  const file = data === undefined ? undefined : resolve(data);
  const serving = await serve<Content & { readonly copy?: CopyReport }>({
    port,
    file,
    async fill(database, shown) {
      const copied = await copyIn(database, shown, copyOf, hidePeople);
      return copied ?? seed(database, shown.store, shown.addresses.issuer, size);
    },
  });
  const { addresses, oidcTokenFile } = serving;
  const { organization, identity, copy } = serving.content;
  return { ...addresses, organization, identity, oidcTokenFile, ...(copy && { copy }), close: () => serving.close() };
}
