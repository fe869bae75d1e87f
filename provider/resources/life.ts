import type { Inputs, Kind } from "../kinds/kind";
import type { PlatformError } from "../client/errors";
import { check, type CheckResult } from "./check";
import { create, type Created } from "./creating/create";
import { remove } from "./delete";
import { diff, type DiffResult } from "./diff";
import type { Change } from "./guards/lockout-preview";
import { get, type Observed, refresh } from "./read";
import type { Run } from "./run";
import { update } from "./update";

/** What the engine calls for the resources of one kind. */
export interface Life {
  /** @param olds the resource's inputs in state; none for a new object */
  check(olds: Inputs, news: Inputs, run: Run): CheckResult;
  diff(uid: string, olds: Inputs, news: Inputs, run: Run): DiffResult;
  /** Why an `up` would reject what a preview shows: it would end access of the run. */
  lockouts(uid: string, change: Change, run: Run): Promise<readonly PlatformError[]>;
  create(inputs: Inputs, run: Run): Promise<Created>;
  get(uid: string, run: Run): Promise<Observed>;
  /** @returns undefined if the object is provably gone */
  refresh(uid: string, state: Inputs, run: Run): Promise<Observed | undefined>;
  /** @returns the outputs for state */
  update(uid: string, olds: Inputs, news: Inputs, run: Run): Promise<Inputs>;
  remove(uid: string, state: Inputs, run: Run): Promise<void>;
}

/** The life of the objects of a kind. */
export function lifeOf(kind: Kind): Life {
  return {
    check: (olds, news, run) => check(kind, olds, news, run),
    diff: (uid, olds, news, run) => diff(kind, uid, olds, news, run),
    lockouts: (uid, change, run) => run.lockoutPreview.rejections(kind, uid, change),
    create: (inputs, run) => create(kind, inputs, run),
    get: (uid, run) => get(kind, uid, run),
    refresh: (uid, state, run) => refresh(kind, uid, state, run),
    update: (uid, olds, news, run) => update(kind, uid, olds, news, run),
    remove: (uid, state, run) => remove(kind, uid, state, run),
  };
}
