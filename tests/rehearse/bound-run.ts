import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { RehearsedOnly } from "../../rehearse/bounds";
import { type Ledger, ledgerOf } from "../../rehearse/ledger";
import type { BoundClient } from "../../provider/client/bounds";
import { callCopy, clientOf, copyOf, exchangeAt } from "../copy/support";
import { TestPlatform, type WireObject } from "../support/test-platform";

export const login = { issuer: "https://issuer.example", subject: "ci" };

export let [eng, ci, deployer, viewer, owner] = ["", "", "", "", ""];
export let platform: TestPlatform;
export let client: PlatformClient;

beforeEach(async () => {
  platform = await TestPlatform.start();
  ({ uid: eng } = await platform.create("groups", platform.root, { name: "engineering" }));
  ({ uid: ci } = await platform.create("identities", eng, { name: "ci", claimMatch: login }));
  ({ uid: deployer } = await platform.create("roles", platform.root, { name: "deployer", capabilities: ["CAP_REPO_LIST"] }));
  [viewer, owner] = [await platform.role("viewer"), await platform.role("owner")];
  client = await clientOf(platform);
});
afterEach(() => platform.close());

/** One write. */
export interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Segment of its kind, or with an action. */
  readonly to: string;
  /** Default: iam. */
  readonly area?: string;
  /** Uid of the parent or of the object. */
  readonly at?: string;
  readonly body?: object;
  /** Default: the members of the body. */
  readonly mask?: string;
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const callOf = ({ method, to, area = "iam", at, body, mask }: Write) => ({
  method,
  path: `/${area}/{version}/${to}${at === undefined ? "" : `/${at}`}`,
  ...(body && { body }),
  ...(method === "PATCH" && {
    query: {
      updateMask:
        mask ??
        Object.keys(body ?? {})
          .map(snake)
          .join(","),
    },
  }),
  repetition: "once" as const,
});
export const bind = (body: object, at = eng): Write => ({ method: "POST", to: "roleBindings", at, body });

/** Sends a write, and expects success. */
export type Send = (write: Write) => Promise<WireObject>;

/** The ledger of an update that does `work`. */
export async function rehearsed(work: (send: Send) => Promise<unknown>, tokens: Record<string, string>[] = []): Promise<Ledger> {
  const since = new Date().toISOString();
  const copy = await copyOf(platform);
  try {
    await work(async (write) => {
      const { method, path, query, body } = callOf(write);
      const mask = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
      const reply = await callCopy(copy, platform, method, `${path.replace("{version}", "v2beta1")}${mask}`, { body });
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body as WireObject;
    });
    for (const token of tokens) await exchangeAt(copy.origin, copy.token, token);
    const [requests, { before }, after] = [copy.requests(), copy, copy.now()];
    return ledgerOf({ since, requests, before, after, audience: platform.baseUrl, identity: platform.identity });
  } finally {
    await copy.close();
  }
}

export class BoundRun {
  readonly limits: RehearsedOnly;

  constructor(ledger: Ledger) {
    // A ledger is read from a file.
    this.limits = new RehearsedOnly(JSON.parse(JSON.stringify(ledger)) as Ledger, [platform.baseUrl]);
  }

  send(write: Write): Promise<WireObject> {
    return this.limits.within(client satisfies BoundClient, callOf(write), () =>
      client.call(callOf(write)),
    ) as Promise<WireObject>;
  }

  /** Expects a refusal before anything is sent. @returns the message */
  async refuses(write: Write): Promise<string> {
    await platform.clearRequests();
    const error = await this.send(write).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(await platform.writes()).toEqual([]);
    expect(error).toMatchObject({ code: "NOT_REHEARSED" });
    return (error as PlatformError).message;
  }
}

/** An update of a role binding. */
export const patchBinding = (uid: string, body: object): Write => ({ method: "PATCH", to: "roleBindings", at: uid, body });
