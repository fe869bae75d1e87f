import type { WireObject } from "../client/collection";
import { codeOf, hasCode, messageOf, PlatformError } from "../client/errors";
import { isNotFound } from "./gone";
import { changedInputs, describe, type Inputs, type Kind, observedInputs, show, stateOf } from "./kind";
import type { Run } from "./run";
import { currentHolders } from "./siblings";

/**
 * Changes exactly the fields that differ, each named in the mask (API-FACTS §4). Without a difference
 * nothing is written, and what is there is returned.
 *
 * @returns the outputs for state
 * @throws PlatformError
 */
export async function update<Wire extends WireObject>(
  kind: Kind<Wire>,
  uid: string,
  olds: Inputs,
  news: Inputs,
  run: Run,
): Promise<Inputs> {
  const changed = changedInputs(kind, olds, news).filter((name) => name !== "parentUid");
  // A field that is cleared is sent as empty text: the mask names it, so it must be in the body.
  const body = Object.fromEntries(changed.map((name) => [name, news[name] ?? ""]));
  try {
    const wire =
      changed.length === 0
        ? await run.client.get(kind.collection, uid)
        : await run.client.update(kind.collection, uid, body, changed.map(snakeCase));
    verify(kind, uid, news, wire, changed);
    return stateOf(kind, wire);
  } catch (error) {
    throw await explain(kind, uid, news, run, error);
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An answer that does not hold the key that was just written is about something else, and never reaches state. */
function verify<Wire extends WireObject>(kind: Kind<Wire>, uid: string, news: Inputs, wire: Wire, changed: string[]): void {
  const observed = observedInputs(kind, wire);
  const wrong = kind.naturalKey.find((name) => changed.includes(name) && observed[name] !== news[name]);
  if (wrong === undefined) return;
  throw new PlatformError(
    "WRONG_OBJECT",
    `the platform answered ${wrong} ${show(observed[wrong])} instead of ${show(news[wrong])}. See what ${uid} is now with \`pulumi refresh --preview-only --run-program\`.`,
  );
}

async function explain<Wire extends WireObject>(
  kind: Kind<Wire>,
  uid: string,
  news: Inputs,
  run: Run,
  error: unknown,
): Promise<PlatformError> {
  const what = `update ${kind.collection.noun} ${uid}`;
  const code = codeOf(error);
  const fail = (why: string) => new PlatformError(code, `${what}: ${why}`, { cause: error });
  if (isNotFound(error)) {
    return fail(
      `it is gone, or something that it names is. ${error.message} \`pulumi up --refresh --run-program\` sees what is there and makes it anew.`,
    );
  }
  if (hasCode(error, "ALREADY_EXISTS")) {
    const holders = await currentHolders(run, kind, news).catch(() => []);
    const uids = holders.map((holder) => holder.uid).filter((holder) => holder !== uid);
    return fail(
      `${describe(kind, news)} exists already${uids.length > 0 ? `, as ${uids.join(" and ")}` : ""}. Choose another, or remove that one. ${error.message}`,
    );
  }
  return fail(messageOf(error));
}
