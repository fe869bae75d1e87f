/**
 * Whether this command runs the program through the native plugin, on a stack and an emulator of their own. `--native` is its first
 * argument then. Otherwise, the program's resources are dynamic ones.
 */
export const isNative = process.argv[2] === "--native";

/** The command's other arguments. */
export const commandArguments = process.argv.slice(isNative ? 3 : 2);

/** The name of a folder or stack, which differs between the two. */
export const nameOf = (name) => (isNative ? `${name}-native` : name);

/** The command line of an npm script that runs the program in the same way. */
export function npmRun(script, ...args) {
  const given = [...(isNative ? ["--native"] : []), ...args];
  return [script === "start" ? "npm start" : `npm run ${script}`, ...(given.length > 0 ? ["--", ...given] : [])].join(" ");
}

/** The next steps of a person, each with its npm script and its purpose. */
const steps = {
  tamper: { command: ["tamper"], purpose: "change something behind the provider's back" },
  drift: {
    command: ["pulumi", "refresh", "--preview-only", "--run-program", "--diff"],
    purpose: "see the drift, field by field",
  },
  repair: { command: ["pulumi", "up", "--refresh", "--run-program", "--yes"], purpose: "repair it" },
  destroy: { command: ["pulumi", "destroy", "--run-program", "--yes"], purpose: "remove everything" },
};

/** The command line of a step: `tamper`, `drift`, `repair` or `destroy`. */
export const commandOf = (step) => npmRun(...steps[step].command);

/** The command lines of steps with their purposes, one a line. */
export function commandList(...names) {
  const width = Math.max(...names.map((name) => commandOf(name).length));
  return names.map((name) => `  ${commandOf(name).padEnd(width)}       ${steps[name].purpose}`).join("\n");
}
