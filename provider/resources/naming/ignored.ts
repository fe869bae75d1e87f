import { literal } from "../../client/printable";
import type { Inputs, Kind } from "../../schema/kind";
import { givenIn, isGiven, isSame, withoutRecord } from "../../schema/references";

/** The arguments of a program, and the uids whose changes it ignores. */
interface Given {
  readonly news: Inputs;
  readonly ignored: Inputs;
}

/**
 * `news` without the uids that `ignoreChanges` took from the inputs in state, beside which the program writes a name: the engine puts back
 * each ignored input alone. The pair stays as it is in state, also where the program has another name.
 */
// See docs/contributing/engine.md#diff.
export function withoutIgnored(
  { fields, collection }: Pick<Kind, "fields" | "collection">,
  olds: Inputs,
  given: Inputs,
  run: { readonly notifyOnce: (message: string) => void },
): Given {
  const news = withoutRecord(given);
  const pairs = givenIn(fields, news).filter(
    ({ name, uid }) => isGiven(olds[name]) && isGiven(news[uid]) && news[uid] === olds[uid],
  );
  for (const { name, uid } of pairs)
    if (!isSame(olds[name], news[name]))
      run.notifyOnce(
        `warning: ${collection.noun}: ${name} ${literal(news[name])} has no effect, because \`ignoreChanges\` keeps ${uid}. ` +
          `To change the ${collection.noun}, ignore neither of the two.`,
      );
  const uids = pairs.map(({ uid }) => uid);
  return {
    news: {
      ...Object.fromEntries(Object.entries(news).filter(([name]) => !uids.includes(name))),
      ...Object.fromEntries(pairs.map(({ name }) => [name, olds[name]])),
    },
    ignored: Object.fromEntries(uids.map((uid) => [uid, olds[uid]])),
  };
}
