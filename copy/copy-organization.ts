import type { LoggedRequest } from "../emulator/admin/request-log";
import { seededSubject } from "../emulator/auth/oidc-issuer";
import { shownRows } from "../emulator/copy/load";
import { serve } from "../emulator/serving/serving";
import type { PlatformObject } from "../inventory/objects";
import { type CopySource, fillWithCopy } from "./fill";
import type { Inexact } from "./read";
import { objectsOf } from "./shown";

/** How long the token of a copy can be exchanged, in seconds. */
const tokenLifetime = 7 * 24 * 3600;

/** The organisations to copy for a rehearsal. */
export interface CopyOptions extends CopySource {
  /** The addresses that the copy stands in for: links and tokens of the copy name these, and its tokens the audience. */
  readonly standsInFor: { readonly baseUrl: string; readonly authUrl: string; readonly audience: string };
  /** Uid of the identity that the token gives if an exchange names none. Default: the reader */
  readonly identity?: string;
}

/** A copy of organisations on this machine, for one rehearsal. */
export interface OrganizationCopy {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Can be exchanged at the copy, and only there, for an API token of every identity of the copy, without a proof. */
  readonly token: string;
  /** The parts that could not be read, or that the copy shows in another way. Grows if the copy makes up an answer. */
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
export async function copyOrganization({ standsInFor, identity, ...source }: CopyOptions): Promise<OrganizationCopy> {
  const [organization] = source.organizations;
  const caller = identity ?? (await source.client.caller())?.uid ?? "";
  const serving = await serve({
    port: 0,
    standsInFor,
    isStandIn: true,
    async fill(_database, shown) {
      const { original, ...filled } = await fillWithCopy(shown, source);
      return { organization, identity: caller, copied: { original }, ...filled };
    },
  });
  const { services, origin, content } = serving;
  return {
    origin,
    token: await services.issuer.mint({ subject: seededSubject, expiresInSeconds: tokenLifetime }),
    inexact: content.inexact,
    before: content.objects,
    now: () => objectsOf(shownRows(services)),
    requests: () => serving.requests(),
    close: () => serving.close(),
  };
}
