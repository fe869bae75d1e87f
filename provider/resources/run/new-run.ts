import type { PlatformClient } from "../../client/client";
import { FirstGrants } from "../guards/first-grants";
import { Guards } from "../guards/guards";
import { OwnAccess } from "../guards/own-access";
import { OwnOrganization } from "../guards/own-organization";
import type { GuardPreviewOptions } from "../guards/preview";
import { Facts } from "../ledger/facts";
import { Ledger, type LedgerOptions } from "../ledger/ledger";
import { FirstNames } from "../naming/first-names";
import { DeletionProof } from "../../sight/deletion-proof";
import { Visibility } from "../../sight/visibility";
import { Names } from "../sharing/names";
import { Sharing } from "./sharing";
import type { Run } from "./run";

/** Options of {@link newRun}. */
export interface NewRunOptions extends LedgerOptions {
  /** Whether the run may end its own access. Default: false. */
  allowSelfLockout?: boolean;
  /** The client and the caller of previews. Default: previews say nothing of names, nor of the run's own access. */
  preview?: Omit<GuardPreviewOptions, "isAllowed">;
  /** Whether the run may overwrite what somebody else has changed. Default: false. */
  overwrites?: boolean;
  /** Uid of the root group. Default: not configured. */
  organization?: string;
  /** Uid of a group of the only organisation that the run may change. Default: it may change any. */
  keepsTo?: string;
  /** Default: prints nothing. */
  notify?: (message: string) => void;
}

/** A run with all its services. */
export function newRun(client: PlatformClient, options: NewRunOptions = {}): Run {
  const { allowSelfLockout: isAllowed = false, facts = new Facts(), notify = () => undefined } = options;
  const firstGrants = new FirstGrants(client);
  const preview = { client, caller: undefined, ...options.preview };
  const previewNames = new Names(preview.client, "believe");
  const previewGrants = new FirstGrants(preview.client);
  const told = new Set<string>();
  return {
    client,
    organization: options.organization,
    overwrites: options.overwrites ?? false,
    notify(message) {
      if (told.has(message)) return;
      told.add(message);
      notify(message);
    },
    ledger: new Ledger({ ...options, facts }),
    proof: new DeletionProof(client, new Visibility(client), firstGrants),
    guards: new Guards(new OwnAccess(client, { isAllowed, outcome: "Nothing was sent." }, firstGrants), {
      ...preview,
      isAllowed,
    }),
    ownOrganization: new OwnOrganization(options.keepsTo),
    firstNames: new FirstNames(options.preview && previewNames, () => previewGrants.listed()),
    names: new Names(client),
    sharing: new Sharing(client),
    mode: "unknown",
  };
}
