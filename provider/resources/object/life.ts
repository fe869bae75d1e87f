import type { PlatformError } from "../../client/errors";
import { pathArgument, updateArgument } from "../../schema/inputs";
import { hideSecrets, type Inputs, type Kind, noteKeyOf } from "../../schema/kind";
import { check, type CheckResult } from "./check";
import { duplicates } from "./duplicates";
import type { Declaring, Operation } from "../../schema/operation";
import { warnOfExpiry } from "../checking/expiry";
import { warnOfHiddenNames } from "../checking/hidden-names";
import { hints } from "../checking/hints";
import { create, type Created } from "../creating/create";
import { rejectLeftBehind, warnOfLeftBehind } from "../creating/left-behind";
import { remove } from "./delete";
import { diff, type DiffResult } from "./diff";
import type { FoundChange } from "../guards/lockout-preview";
import { type CheckedNames, checkNames } from "../naming/check-names";
import { withoutIgnored } from "../naming/ignored";
import { comparedNames } from "../naming/resolve";
import { type Found, get, refresh } from "./read";
import { noteMode } from "../ledger/mode";
import type { Run } from "../run/run";
import { update } from "./update";

/** What the engine calls for the resources of one kind. Hosts translate its messages, and decide nothing. */
export interface Life {
  /** @param olds the resource's inputs in state; none for a new object */
  check(olds: Inputs, news: Inputs, run: Run): Promise<CheckResult>;
  /** @param path of the resource. Default: the host does not tell it */
  diff(uid: string, olds: Inputs, news: Inputs, run: Run, path?: string): Promise<DiffResult>;
  create(inputs: Inputs, run: Run): Promise<Created>;
  /**
   * @param state none for a `get`
   * @returns undefined if the object is provably gone
   */
  // See docs/contributing/engine.md#get.
  read(uid: string, state: Inputs, run: Run): Promise<Found | undefined>;
  /** @returns the outputs for state */
  update(uid: string, olds: Inputs, news: Inputs, run: Run): Promise<Inputs>;
  /** @param path of the resource. Default: the host does not tell it */
  delete(uid: string, state: Inputs, run: Run, path?: string): Promise<void>;
}

/** What the resources of a kind do in their own way; {@link lifeOf} adds what all resources share. */
export interface Verbs {
  /** @param declaring `olds` has the resource's inputs in state; none for a new object */
  check(declaring: Declaring, run: Run): CheckResult;
  diff(operation: Operation, run: Run): DiffResult;
  /** See {@link checkNames}. Default: that */
  checkNames?(declaring: Declaring, run: Run): Promise<CheckedNames>;
  /** Why an `up` would reject what a preview shows: it would end access of the run. */
  lockouts(kind: Kind, uid: string, change: FoundChange, run: Run): Promise<readonly PlatformError[]>;
  create(kind: Kind, inputs: Inputs, run: Run): Promise<Created>;
  get(kind: Kind, uid: string, run: Run): Promise<Found>;
  /** @returns undefined if the object is provably gone */
  refresh(kind: Kind, uid: string, state: Inputs, run: Run): Promise<Found | undefined>;
  /** @returns the outputs for state */
  update(operation: Operation, run: Run): Promise<Inputs>;
  remove(kind: Kind, uid: string, state: Inputs, run: Run, path?: string): Promise<void>;
}

const lockouts: Verbs["lockouts"] = (kind, uid, change, run) => run.lockoutPreview.rejections(kind, uid, change);

/** The verbs of an object. */
const objectVerbs: Verbs = { check, diff, lockouts, create, get, refresh, update, remove };

/** The life of the resources of `kind`. @param verbs Default: those of an object */
export function lifeOf(kind: Kind, verbs: Verbs = objectVerbs): Life {
  /** Redacts the secrets of what the engine passes in all later messages. */
  const hidden = (values: Inputs): Inputs => {
    hideSecrets(kind, values);
    return values;
  };
  return {
    async check(olds, { [updateArgument]: isUpdate, [pathArgument]: passed, ...given }, run) {
      noteMode(run, isUpdate === true ? "update" : "preview");
      const { news, ignored } = withoutIgnored(kind, olds, given, run);
      run.ledger.logins.record(kind, news);
      run.ledger.names.record(kind, olds, news);
      const path = typeof passed === "string" ? passed : undefined;
      if (path !== undefined) run.ledger.declarations.checked(path);
      const result = verbs.check({ kind, olds: hidden(olds), news: hidden(news), path }, run);
      if (result.failures.length > 0) return result;
      const named = { kind, olds, news: { ...result.inputs, ...ignored }, path };
      const { inputs, failures } = await (verbs.checkNames ?? checkNames)(named, run);
      const checked = { kind, olds, news: inputs, path, given: news };
      for (const hint of hints) hint(checked, run);
      failures.push(...run.ownOrganization.problemsOf(checked, run));
      failures.push(...duplicates(checked, news["adopt"], run));
      failures.push(...run.ledger.access.problems({ kind, inputs, path }));
      return { inputs, failures };
    },

    async diff(uid, state, news, run, path) {
      run.ownOrganization.compared({ kind, uid, state }, run);
      const declared = await comparedNames({ kind, uid, olds: hidden(state), news: hidden(news) }, run);
      const operation = { kind, uid, olds: state, news: declared, path };
      const result = verbs.diff(operation, run);
      run.ledger.inState.add(kind.collection, uid);
      const key = noteKeyOf(kind, declared);
      if (key !== undefined) run.ledger.notes.isInState(key, uid);
      warnOfExpiry(operation, run);
      if (result.changes) warnOfHiddenNames(operation, run);
      // In an update, the rejection itself says so.
      if (run.mode === "preview") {
        const lockouts = await verbs.lockouts(kind, uid, { olds: state, news: declared, replaces: result.replaces }, run);
        for (const { message } of lockouts) run.notify(`warning: ${message}`);
      }
      return result;
    },

    async create(inputs, run) {
      noteMode(run, "update");
      run.ownOrganization.require({ verb: "create", kind, state: hidden(inputs) });
      return verbs.create(kind, inputs, run);
    },

    async read(uid, state, run) {
      if (Object.keys(state).length === 0) return verbs.get(kind, uid, run);
      run.ledger.inState.add(kind.collection, uid);
      await warnOfLeftBehind(run);
      const observed = await verbs.refresh(kind, uid, hidden(state), run);
      if (observed !== undefined) warnOfHiddenNames({ kind, uid, olds: state, news: observed.inputs }, run);
      return observed;
    },

    async update(uid, olds, news, run) {
      noteMode(run, "update");
      run.ownOrganization.require({ verb: "update", kind, uid, state: hidden(olds) });
      return verbs.update({ kind, uid, olds, news: hidden(news) }, run);
    },

    async delete(uid, state, run, path) {
      run.ownOrganization.require({ verb: "delete", kind, uid, state: hidden(state) });
      await rejectLeftBehind(kind, uid, state, run);
      await verbs.remove(kind, uid, state, run, path);
    },
  };
}
