import path from "node:path";

/** The variable with the organisation of the real stack, which programs in Node.js read by `getOrganization()`. */
export const organizationVariable = "PLATFORM_REHEARSED_ORGANIZATION";

/** Words of Node.js that load this file before a program. They follow the user's own. */
export function nodeOptions(own: string | undefined): string {
  return [own, `--require ${JSON.stringify(__filename)}`].filter(Boolean).join(" ");
}

const flag = "--organization";

/** The command line of a program, with `organization` in place of that of the copied stack. */
export function withOrganization(words: readonly string[], organization: string): string[] {
  return words.map((word, at) => {
    if (words[at - 1] === flag) return organization;
    return word.startsWith(`${flag}=`) ? `${flag}=${organization}` : word;
  });
}

// The engine starts programs with the organisation as a flag, and a backend in a folder has only `organization`.
const organization = process.env[organizationVariable];
const runsProgram = process.argv[1]?.includes(path.join("@pulumi", "pulumi", "cmd", "run")) === true;
if (organization !== undefined && runsProgram) process.argv = withOrganization(process.argv, organization);
