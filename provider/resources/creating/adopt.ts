import type { WireObject } from "../../client/collection";
import { PlatformError } from "../../client/errors";
import { changedInputs, describe, type Inputs, type Kind, observedInputs, show } from "../../kinds/kind";
import type { Run } from "../run";

/** True when the resource may take over the object that holds its natural key `key`. */
export function adopts(run: Run, key: string): boolean {
  return run.declared.get(key) ?? run.adoptByDefault;
}

/**
 * The one of `holders` that the resource takes over, where that is asked for and nothing would have to be changed.
 *
 * @throws PlatformError `KEY_TAKEN`, `AMBIGUOUS`
 */
export function adoptOrRefuse<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  key: string,
  holders: Wire[],
): Wire {
  const what = describe(kind, inputs);
  const uids = holders.map((holder) => holder.uid).join(" and ");
  const [holder] = holders;
  if (!adopts(run, key)) {
    throw new PlatformError(
      "KEY_TAKEN",
      `create ${what}: it exists already, as ${uids}. Three ways on: \`aliases\`, when this stack holds it under another logical name; ` +
        "another name; `adopt: true` (or PLATFORM_ADOPT=true for one run, where config says nothing of platform:adopt), when nobody manages it. Nothing was created.",
    );
  }
  if (holder === undefined || holders.length > 1) {
    throw new PlatformError(
      "AMBIGUOUS",
      `adopt ${what}: several exist: ${uids}. Delete or rename all but one. Nothing was changed.`,
    );
  }
  if (run.holds(kind, holder.uid)) {
    throw new PlatformError(
      "KEY_TAKEN",
      `adopt ${what}: ${uids} is already another resource of this program. Nothing was changed.`,
    );
  }
  const observed = observedInputs(kind, holder);
  // The platform's side alone: what the program declares may be a secret, which the engine hands over bare (ENGINE §3).
  const differences = changedInputs(kind, observed, inputs).map((name) => `the platform has ${name} ${show(observed[name])}`);
  if (differences.length > 0) {
    throw new PlatformError(
      "KEY_TAKEN",
      `adopt ${what}: ${uids} is not equal to what is declared: ${differences.join("; ")}. Make the two equal, then run again. Nothing was changed.`,
    );
  }
  return holder;
}
