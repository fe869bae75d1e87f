import { randomBytes } from "node:crypto";
import { Admin } from "../admin/admin";
import { Faults } from "../admin/faults";
import { type LoggedRequest, RequestLog } from "../admin/request-log";
import type { Shown } from "../api/collection";
import { Routes } from "../api/routes";
import type { Copied, Services } from "../api/services";
import { ApiTokens } from "../auth/api-tokens";
import { IssuerKeys } from "../auth/issuer-keys";
import { OidcIssuer, seededSubject } from "../auth/oidc-issuer";
import { OidcTokenFile } from "../auth/oidc-token-file";
import type { Addresses } from "../settings/addresses";
import { Settings } from "../settings/settings";
import { Database } from "../storage/database";
import { Store } from "../storage/store";
import { jsonAnswer } from "../wire/http";
import { PageTokens } from "../wire/page-token";
import { HttpServer } from "./server";

/** The content of an emulator, by its first organisation and the identity that its OIDC token may assume. */
export interface Content {
  /** Uid of the root group. */
  readonly organization: string;
  /** Uid of the identity. */
  readonly identity: string;
  /** Present if the content is a copy. */
  readonly copied?: Copied;
}

/** The parts in which emulators differ. */
export interface ServingOptions<Filled extends Content> {
  /** Port on 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** Absolute path of the data file. Default: memory */
  readonly file?: string | undefined;
  /** Addresses of the platform that it stands in for, which its tokens and links name. Default: its own */
  readonly standsInFor?: Pick<Addresses, "baseUrl" | "authUrl" | "audience">;
  /** Fills the database, or reads what it holds. */
  fill(database: Database, shown: Shown): Promise<Filled> | Filled;
  /** A stand-in serves no admin API, writes no token file and trusts no issuer besides its own. Default: false */
  readonly isStandIn?: boolean;
}

/** An emulator that answers. */
export interface Serving<Filled extends Content> {
  readonly addresses: Addresses;
  /** Address on this machine. */
  readonly origin: string;
  readonly content: Filled;
  readonly services: Services;
  /** Empty for a stand-in. */
  readonly oidcTokenFile: string;
  /** The requests so far, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Ends every connection, closes the data file and deletes temporary files. */
  close(): Promise<void>;
}

/**
 * Serves an emulator on 127.0.0.1.
 * @throws {Error} if the port or the data file cannot be used, or if `fill` fails.
 */
export async function serve<Filled extends Content>(options: ServingOptions<Filled>): Promise<Serving<Filled>> {
  const { port, file, isStandIn = false } = options;
  const server = await HttpServer.listen(port);
  const cleanUp: (() => unknown)[] = [() => server.close()];
  const close = async () => {
    for (const step of cleanUp.splice(0)) await step();
  };
  try {
    const database = new Database(file ?? ":memory:");
    cleanUp.push(() => database.close());
    const origin = `http://127.0.0.1:${server.port}`;
    const addresses = addressesOf(origin, options.standsInFor);
    const [settings, store] = [new Settings(), new Store(database)];
    const content = await options.fill(database, { store, settings, addresses });
    const issuer = await OidcIssuer.open(database, addresses, settings);
    const services: Services = {
      addresses,
      settings,
      store,
      issuer,
      pageTokens: new PageTokens(pageTokenSecret(database), () => settings.now()),
      apiTokens: await ApiTokens.open(database, addresses, settings, store),
      seededIdentity: content.identity,
      ...(content.copied && { copied: content.copied }),
    };
    const tokenFile = isStandIn ? undefined : await OidcTokenFile.create(file, issuer, seededSubject);
    if (tokenFile !== undefined) cleanUp.push(() => tokenFile.close());
    const [faults, log] = [new Faults(), new RequestLog()];
    const admin = tokenFile ? new Admin(services, faults, log, () => tokenFile.renew()) : noAdmin;
    server.attach({ routes: new Routes(services, new IssuerKeys(issuer, !isStandIn)), admin, faults, log, settings });
    return { addresses, origin, content, services, oidcTokenFile: tokenFile?.path ?? "", requests: () => log.list(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const noAdmin: Pick<Admin, "handle"> = {
  handle: () => Promise.resolve(jsonAnswer(404, { message: "a copy for a rehearsal has no admin API" })),
};

function addressesOf(
  origin: string,
  { baseUrl, authUrl, audience }: Pick<Addresses, "baseUrl" | "authUrl" | "audience"> = {
    ...{ baseUrl: origin, authUrl: origin, audience: origin },
  },
): Addresses {
  return { baseUrl, authUrl, audience, issuer: `${authUrl}/issuer`, adminUrl: `${baseUrl}/admin` };
}

function pageTokenSecret(database: Database): string {
  const secret = database.fact("page token secret") ?? randomBytes(32).toString("hex");
  database.setFact("page token secret", secret);
  return secret;
}
