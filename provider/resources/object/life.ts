import type { PlatformError } from "../../client/errors";
import { pathArgument, updateArgument } from "../../schema/inputs";
import { hideSecrets, type Inputs, type Kind, naturalKeyOf, noteKeyOf } from "../../schema/kind";
import { check, type CheckResult } from "./check";
import { duplicates } from "./duplicates";
import type { Declaring, Operation } from "../../schema/operation";
import { warnOfExpiry } from "../checking/expiry";
import { warnOfHiddenNames } from "../checking/hidden-names";
import { hints } from "../checking/hints";
import { create, type Created } from "../creating/create";
import { remove } from "./delete";
import { diff, type DiffResult } from "./diff";
import { changesOf } from "../guards/change";
import { warnOfLeftBehind } from "../guards/left-behind";
import { type CheckedNames, checkNames } from "../naming/check-names";
import { withoutIgnored } from "../naming/ignored";
import { uidOfImport } from "../naming/import-id";
import { comparedNames } from "../naming/resolve";
import { type Found, get, refresh } from "./read";
import { noteMode } from "../ledger/mode";
import type { Run } from "../run/run";
import { update } from "./update";

/** The calls of the engine for the resources of one kind. Hosts translate its messages, and decide nothing. */
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
  /**
   * Reads an object for an import.
   *
   * @param id its uid, or a text in the form of its kind, such as its path
   * @param path of the resource
   */
  import(id: string, run: Run, path: string): Promise<Found>;
  /** @returns the outputs for state */
  update(uid: string, olds: Inputs, news: Inputs, run: Run): Promise<Inputs>;
  /** @param path of the resource. Default: the host does not tell it */
  delete(uid: string, state: Inputs, run: Run, path?: string): Promise<void>;
}

/** The part of a life that differs between kinds. {@link lifeOf} adds the rest, which all resources share. */
export interface Verbs {
  /** @param declaring `olds` has the resource's inputs in state; none for a new object */
  check(declaring: Declaring, run: Run): CheckResult;
  diff(operation: Operation, run: Run): DiffResult;
  /** See {@link checkNames}. Default: that */
  checkNames?(declaring: Declaring, run: Run): Promise<CheckedNames>;
  /** The errors with which guards of an `up` would stop what a preview shows. @param replaces inputs whose change replaces the resource */
  foresee(operation: Operation, replaces: readonly string[], run: Run): Promise<readonly PlatformError[]>;
  create(kind: Kind, inputs: Inputs, run: Run): Promise<Created>;
  get(kind: Kind, uid: string, run: Run): Promise<Found>;
  /** @returns undefined if the object is provably gone */
  refresh(kind: Kind, uid: string, state: Inputs, run: Run): Promise<Found | undefined>;
  /** @returns the outputs for state */
  update(operation: Operation, run: Run): Promise<Inputs>;
  remove(kind: Kind, uid: string, state: Inputs, run: Run, path?: string): Promise<void>;
}

const foresee: Verbs["foresee"] = (operation, replaces, run) => run.guards.foresee(changesOf(operation, replaces), run);

/** The verbs of an object. */
const objectVerbs: Verbs = { check, diff, foresee, create, get, refresh, update, remove };

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
      run.ledger.declarations.checkedFrom(naturalKeyOf(kind, olds));
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
      run.ledger.imports.compared(kind.collection, uid, result.replaces.length > 0, path);
      run.ledger.inState.add(kind.collection, uid);
      const key = noteKeyOf(kind, declared);
      if (key !== undefined) run.ledger.notes.isInState(key, uid);
      warnOfExpiry(operation, run);
      if (result.changes) warnOfHiddenNames(operation, run);
      // In an update, the rejection itself says so.
      if (run.mode === "preview") {
        const errors = await verbs.foresee(operation, result.replaces, run);
        for (const { message } of errors) run.notify(`warning: ${message}`);
      }
      return result;
    },

    create(inputs, run) {
      noteMode(run, "update");
      return verbs.create(kind, hidden(inputs), run);
    },

    async read(uid, state, run) {
      if (Object.keys(state).length === 0) return verbs.get(kind, uid, run);
      run.ledger.inState.add(kind.collection, uid);
      await warnOfLeftBehind(run);
      const observed = await verbs.refresh(kind, uid, hidden(state), run);
      if (observed !== undefined) warnOfHiddenNames({ kind, uid, olds: state, news: observed.inputs }, run);
      return observed;
    },

    async import(id, run, path) {
      const uid = await uidOfImport(kind, id, run);
      if (uid !== id) run.ledger.imports.named(kind.collection, uid, path);
      return verbs.get(kind, uid, run);
    },

    update(uid, olds, news, run) {
      noteMode(run, "update");
      return verbs.update({ kind, uid, olds: hidden(olds), news: hidden(news) }, run);
    },

    delete: (uid, state, run, path) => verbs.remove(kind, uid, hidden(state), run, path),
  };
}
