import { Failure } from "../lib/message.mjs";
import { go } from "./go.mjs";
import { java } from "./java.mjs";
import { nodejs } from "./nodejs.mjs";
import { python } from "./python.mjs";
import { GO } from "./tools.mjs";

/**
 * The languages that are built and run here, by the names of Pulumi's language hosts. `needs` lists tools; `alone` runs work under a lock;
 * `build` makes an SDK and returns how a program gets it; `block` is another name of the language in the schema's examples; `check` compiles
 * these against the SDK; `project` writes a program, and returns its runtime, a folder for PATH, and other members of Pulumi.yaml; without it,
 * other tests run programs; `example` is a program in examples/;
 * `library` is what `init --sdk` takes of an SDK.
 */
export const languages = {
  nodejs,
  python,
  go,
  java,
  yaml: {
    needs: [GO],
    example: "examples/yaml/Pulumi.yaml",
    project: async (_work, { text }) => ({ runtime: "yaml", text: text.replace(/^(name|description|runtime):.*\n/gm, "") }),
  },
};

/** Runs `use` under a lock, if other commands of this machine for the language would use the same files outside their checkouts. */
export const alone = (name, use) => (languages[name].alone ?? ((work) => work()))(use);

/** @throws {Failure} for a name of no language */
export function requireKnown(names, known = Object.keys(languages)) {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Failure(`"${unknown}" is none of the languages ${known.join(", ")}.`);
}
