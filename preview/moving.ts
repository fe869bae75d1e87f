import { isDeepStrictEqual } from "node:util";
import { kindNames } from "../inventory/kinds";
import { lineageOf } from "../provider/client/uid";
import { logsInWith } from "../provider/resources/naming/matchers";
import type { Planned } from "./plan";
import { isHidden } from "./seen";

/**
 * The names and logins that objects get or give up in an update. The update looks up each new name once more. It then finds another object
 * than the preview only if the former object loses the name and another one gets it; otherwise it finds none or several, and fails.
 */
export class Moving {
  readonly #lost: ReadonlySet<string>;
  readonly #got: readonly unknown[];
  readonly #logins: readonly unknown[];

  constructor(all: readonly Planned[]) {
    const plan = all.filter(({ kind, op }) => named.includes(kind) && op !== "keep");
    const renamed = plan.filter((each) => each.op === "replace" || changes(each, "name"));
    this.#lost = new Set(renamed.map(({ before }) => before.id));
    this.#got = renamed.filter(({ op }) => op !== "delete").map(({ after }) => after.inputs["name"]);
    // A login that an identity loses means a person.
    this.#logins = logins.flatMap((field) =>
      plan
        .filter((each) => each.op === "replace" || changes(each, field))
        .flatMap(({ before, after }) => [before.outputs[field], before.inputs[field], after.inputs[field]]),
    );
  }

  /** True if `text`, which means the object `uid` before the update, may mean another one once it has begun. */
  has(uid: string, text: unknown): boolean {
    if (typeof text !== "string")
      return this.#logins.some((login) => isHidden(login) || logsInWith({ claimMatch: login }, text as never));
    const names = [text, ...text.split("/")];
    const isGot = this.#got.some((name) => isHidden(name) || names.includes(String(name)));
    return isGot && lineageOf(uid).some((each) => this.#lost.has(each));
  }
}

/** Kinds of objects that programs refer to by name. */
const named: readonly string[] = [kindNames.group, kindNames.identity, kindNames.role];

/** The fields with the login of an identity. */
const logins = ["claimMatch", "staticKeys"];

/** True if the value of a field perhaps changes. */
function changes({ before, after }: Planned, field: string): boolean {
  const is = after.inputs[field];
  return isHidden(is) || !isDeepStrictEqual(before.outputs[field] ?? before.inputs[field], is);
}
