import type { InCollection } from "../object-map";

/** A deletion in progress. */
export interface Deletion {
  readonly collection: InCollection;
  readonly uid: string;
  readonly endsOwnAccess: boolean;
  readonly done: Promise<void>;
}
