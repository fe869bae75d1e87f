import type { LoggedRequest } from "../emulator/admin/request-log";
import type { Copied } from "../emulator/api/services";
import { seededSubject } from "../emulator/auth/oidc-issuer";
import { type CopiedRows, loadRows } from "../emulator/copy/load";
import { serve } from "../emulator/serving/serving";
import type { Store } from "../emulator/storage/store";
import { ApiError, Code, permissionDenied } from "../emulator/wire/errors";
import type { JsonObject } from "../emulator/wire/json";
import { kindName, listedKinds } from "../inventory/kinds";
import type { PlatformObject } from "../inventory/objects";
import type { PlatformClient } from "../provider/client/client";
import { causeOf, hasCode } from "../provider/client/errors";
import { type Inexact, type Original, readOriginal } from "./read";
import { differencesFrom, objectsOf } from "./shown";

/** How long the token of a copy can be exchanged, in seconds. */
const tokenLifetime = 7 * 24 * 3600;

/** The organisations to copy for a rehearsal. */
export interface CopyOptions {
  /** A client with the credentials of the reader. The copy asks it for uids of people as long as it is open. */
  readonly client: PlatformClient;
  /** The addresses that the copy stands in for: links and tokens of the copy name these. */
  readonly standsInFor: { readonly baseUrl: string; readonly authUrl: string };
  /** Uids of root groups. */
  readonly organizations: readonly [string, ...string[]];
  /** Uid of the identity that the token gives if an exchange names none. Default: the reader */
  readonly identity?: string;
}

/** A copy of organisations on this machine, for one rehearsal. */
export interface OrganizationCopy {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Can be exchanged at the copy, and only there, for an API token of every identity of the copy, without a proof. */
  readonly token: string;
  /** The parts that could not be read, or that the copy shows in another way. Grows if the platform cannot be asked for a person. */
  readonly inexact: readonly Inexact[];
  /** The objects as the inventory reads them from the copy, people included, before the first request. */
  readonly before: readonly PlatformObject[];
  /** The same objects as of now. */
  now(): PlatformObject[];
  /** The requests that the copy was sent, oldest first. Their bodies may contain secrets of the program. */
  requests(): readonly LoggedRequest[];
  /** Forgets the copy. */
  close(): Promise<void>;
}

/**
 * Copies organisations into an emulator in memory, which stands in for the platform on 127.0.0.1. Contains no secret of the platform.
 *
 * @throws PlatformError if a root group cannot be read
 */
export async function copyOrganization(options: CopyOptions): Promise<OrganizationCopy> {
  const { client, standsInFor, organizations } = options;
  const original = await readOriginal(client, organizations);
  const identity = options.identity ?? (await client.caller())?.uid ?? "";
  const inexact = [...original.unreadable];
  const serving = await serve({
    port: 0,
    standsInFor,
    isStandIn: true,
    fill(_database, store) {
      inexact.push(...store.transaction(() => load(store, original)));
      return { organization: organizations[0], identity, copied: asking(client, (part) => inexact.push(part)) };
    },
  });
  const { services, origin } = serving;
  inexact.push(...differencesFrom(original, services));
  return {
    origin,
    token: await services.issuer.mint({ subject: seededSubject, expiresInSeconds: tokenLifetime }),
    inexact,
    before: objectsOf(services),
    now: () => objectsOf(services),
    requests: () => serving.requests(),
    close: () => serving.close(),
  };
}

/** Stores what was read. Returns the objects that could not be stored. */
export function load(store: Store, { rows }: Pick<Original, "rows">): Inexact[] {
  const kindOf = new Map([...listedKinds.values()].map((kind) => [kind.collection.segment, kind]));
  const copied: CopiedRows = new Map([...rows].map(([segment, each]) => [segment, [...each.values()] as JsonObject[]]));
  return loadRows(store, copied, new Date().toISOString()).map(({ collection, uid, reason }) => {
    const kind = kindOf.get(collection);
    const what = `${kind?.collection.noun ?? collection} ${uid}`;
    return { what, reason: `the copy cannot store it: ${reason}`, ...(kind && { kinds: [kindName(kind)] }), uid };
  });
}

/** Asks the platform for people. A failure is noted, because the copy cannot answer as the platform would. */
export function asking(client: PlatformClient, note: (part: Inexact) => void): Copied {
  return {
    async lookUpIdentity(issuer, subject) {
      try {
        return await client.lookUpIdentity(issuer, subject);
      } catch (error) {
        const reason = causeOf(error);
        note({ what: `uid of the person with issuer ${issuer} and subject ${subject}`, reason });
        if (hasCode(error, "PERMISSION_DENIED")) throw permissionDenied(reason);
        throw new ApiError(Code.Internal, `the platform of this copy cannot be asked: ${reason}`, "INTERNAL");
      }
    },
  };
}
