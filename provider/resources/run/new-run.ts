import type { PlatformClient } from "../../client/client";
import { kinds } from "../../kinds/kinds";
import { FirstGrants } from "../guards/own-access";
import { LockoutPreview, type PreviewOptions } from "../guards/lockout-preview";
import { SelfLockout } from "../guards/self-lockout";
import { Claims } from "../ledger/claims";
import { PendingCreates } from "../ledger/pending-creates";
import { DeletionProof } from "../proof/deletion-proof";
import { Visibility } from "../proof/visibility";
import { BatchedCreates } from "../sharing/batched-creates";
import { FreshRows } from "../sharing/fresh-rows";
import { Names } from "../sharing/names";
import { SharedReads } from "../sharing/shared-reads";
import { Run } from "./run";

/** Options of {@link newRun}. */
export interface NewRunOptions {
  /** Default: false. */
  adoptByDefault?: boolean;
  /** Whether the run may end its own access. Default: false. */
  allowSelfLockout?: boolean;
  /** What previews ask as, and whom. Default: they tell nothing of the run's own access. */
  preview?: Omit<PreviewOptions, "isAllowed">;
  /** Whether the run may overwrite what somebody else has changed. Default: false. */
  overwrites?: boolean;
  /** Uid of the root group. Default: not configured. */
  organization?: string;
  /** Default: records nothing. */
  pendingCreates?: PendingCreates;
  /** Default: shares none with other processes. */
  claims?: Claims;
  /** Default: prints nothing. */
  notify?: (message: string) => void;
}

/** A run with all its services. */
export function newRun(client: PlatformClient, options: NewRunOptions = {}): Run {
  const claims = options.claims ?? new Claims("");
  const firstGrants = new FirstGrants(client);
  const isAllowed = options.allowSelfLockout ?? false;
  return new Run({
    client,
    adoptByDefault: options.adoptByDefault ?? false,
    organization: options.organization,
    proof: new DeletionProof(client, new Visibility(client), firstGrants),
    selfLockout: new SelfLockout(client, { isAllowed, outcome: "Nothing was sent." }, claims, firstGrants),
    lockoutPreview: new LockoutPreview({ client, caller: undefined, ...options.preview, isAllowed }),
    reads: new SharedReads(client, Object.values(kinds)),
    rows: new FreshRows(client),
    overwrites: options.overwrites ?? false,
    names: new Names(client),
    creates: new BatchedCreates(client),
    pendingCreates: options.pendingCreates ?? new PendingCreates(),
    claims,
    notify: options.notify ?? (() => undefined),
  });
}
