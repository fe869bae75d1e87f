import { isDeepStrictEqual } from "node:util";
import { canonical } from "../../schema/canonical";
import { derivedOnce } from "../../schema/derived";
import { type Fields, inputsIn } from "../../schema/field";
import { membersOf } from "../../schema/values";
import { isHiddenName } from "../../schema/inputs";
import { describeExisting, show } from "../../schema/kind";
import type { Operation } from "../../schema/operation";
import type { Run } from "../run/run";

/**
 * Tells the user about differences under names that previews leave out, because somebody may have given access under such a name. A
 * program cannot declare such names, so they come from the platform.
 */
// See docs/contributing/engine.md#previews.
export function warnOfHiddenNames({ kind, uid, olds, news }: Operation, run: Pick<Run, "notify">): void {
  // Top-level names are declared. The engine and this package use such names for themselves.
  const changes = openInputs(kind.fields).flatMap(([name, { shape, traits }]) =>
    kind.secrets.includes(name)
      ? []
      : hiddenChanges(name, canonical(olds[name], shape, traits), canonical(news[name], shape, traits)),
  );
  for (const change of changes) {
    run.notify(`warning: ${describeExisting(kind, uid, olds)}: ${change}. Previews do not show names that begin with __.`);
  }
}

/** The inputs that may have members under names of their own. */
const openInputs = derivedOnce((fields: Fields) =>
  inputsIn(fields).filter(([, { shape }]) => ["message", "map", "list", "set"].includes(shape.is)),
);

function hiddenChanges(path: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [olds, news] = [membersOf(before), membersOf(after)];
  return Object.keys({ ...olds, ...news }).flatMap((name) => {
    const [old, now] = [olds[name], news[name]];
    const inner = `${path}.${name}`;
    if (!isHiddenName(name)) return hiddenChanges(inner, old, now);
    return isDeepStrictEqual(old, now) ? [] : [`${inner} changes from ${show(old)} to ${show(now)}`];
  });
}
