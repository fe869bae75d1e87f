import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { Admin } from "./admin/admin";
import { ApiTokens } from "./auth/api-tokens";
import { Database } from "./storage/database";
import { Faults } from "./admin/faults";
import { IssuerKeys } from "./auth/issuer-keys";
import { OidcIssuer } from "./auth/oidc-issuer";
import { OidcTokenFile } from "./auth/oidc-token-file";
import { PageTokens } from "./wire/page-token";
import type { Addresses } from "./settings/addresses";
import type { Services } from "./api/services";
import { RequestLog } from "./admin/request-log";
import { Routes } from "./api/routes";
import { seed, seededSubject, type SeedSize } from "./seed/seed";
import { HttpServer } from "./server";
import { Settings } from "./settings/settings";
import { Store } from "./storage/store";

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
  const server = await HttpServer.listen(port);
  const cleanUp: (() => unknown)[] = [() => server.close()];
  const close = async () => {
    for (const step of cleanUp.splice(0)) await step();
  };
  try {
    const file = data === undefined ? undefined : resolve(data);
    const database = new Database(file ?? ":memory:");
    cleanUp.push(() => database.close());

    const addresses = addressesAt(server.port);
    const settings = new Settings();
    const store = new Store(database);
    const seeded = seed(database, store, addresses.issuer, size);
    const issuer = await OidcIssuer.open(database, addresses, settings);
    const tokenFile = await OidcTokenFile.create(file, issuer, seededSubject);
    cleanUp.push(() => tokenFile.close());

    const services: Services = {
      addresses,
      settings,
      store,
      issuer,
      pageTokens: new PageTokens(pageTokenSecret(database), () => settings.now()),
      apiTokens: await ApiTokens.open(database, addresses, settings, store),
      seededIdentity: seeded.identity,
    };
    const [faults, log] = [new Faults(), new RequestLog()];
    const admin = new Admin(services, faults, log, () => tokenFile.renew());
    server.attach({ routes: new Routes(services, new IssuerKeys(issuer)), admin, faults, log, settings });
    return { ...addresses, ...seeded, oidcTokenFile: tokenFile.path, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressesAt(port: number): Addresses {
  const baseUrl = `http://127.0.0.1:${port}`;
  return { baseUrl, authUrl: baseUrl, issuer: `${baseUrl}/issuer`, adminUrl: `${baseUrl}/admin` };
}

function pageTokenSecret(database: Database): string {
  const secret = database.fact("page token secret") ?? randomBytes(32).toString("hex");
  database.setFact("page token secret", secret);
  return secret;
}
