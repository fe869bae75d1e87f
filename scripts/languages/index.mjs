import { Failure } from "../lib/message.mjs";
import { go } from "./go.mjs";
import { java } from "./java.mjs";
import { python } from "./python.mjs";
import { GO } from "./tools.mjs";

/**
 * What is built and run here, by the names of Pulumi's language hosts. `needs` lists tools; `alone` runs work under a lock; `build` makes an SDK and returns how a program gets it;
 * `check` compiles examples against it; `project` writes a program, and returns its runtime, a folder for PATH, and what else Pulumi.yaml says; `example` is a program in examples/.
 */
export const languages = {
  python,
  go,
  java,
  yaml: {
    needs: [GO],
    example: "examples/yaml/Pulumi.yaml",
    project: async (_work, { text }) => ({ runtime: "yaml", text: text.replace(/^(name|description|runtime):.*\n/gm, "") }),
  },
};

/** Runs `use` while no other command of this machine works on the language, if they would meet outside their checkouts. */
export const alone = (name, use) => (languages[name].alone ?? ((work) => work()))(use);

/** @throws {Failure} for a name that is no language's */
export function requireKnown(names, known = Object.keys(languages)) {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Failure(`"${unknown}" is none of the languages ${known.join(", ")}.`);
}
