import { packageSchema } from "../lib/schema.mjs";

/**
 * The types in the results of claim helpers, by name: `ClaimMatch`. An identity takes them as arguments, and generators make two classes of
 * each, one for results and one for arguments.
 */
export function claimTypes() {
  const { functions, resources, types } = packageSchema();
  const taken = Object.values(resources["platform:iam:Identity"].inputProperties).flatMap(({ $ref }) => $ref ?? []);
  const made = Object.values(functions).flatMap(({ outputs }) =>
    Object.values(outputs.properties).flatMap(({ $ref }) => $ref ?? []),
  );
  const both = [...new Set(made)]
    .filter((reference) => taken.includes(reference))
    .map((reference) => reference.slice("#/types/".length));
  return Object.fromEntries(both.map((token) => [token.split(":").at(-1), types[token]]));
}
