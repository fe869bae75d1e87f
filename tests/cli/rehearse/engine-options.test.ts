import { Command } from "commander";
import { type EngineOptions, engineCommand, withEngineOptions } from "../../../cli/rehearse/engine-options";

/** The command of the engine for options of `rehearse`. */
function commandFor(...args: string[]): string[] {
  return engineCommand(withEngineOptions(new Command()).parse(args, { from: "user" }).opts<EngineOptions>());
}

test.each<[string[], string[]]>([
  [[], ["up"]],
  [["--refresh"], ["up", "--refresh", "--run-program"]],
  [["--destroy"], ["destroy", "--run-program"]],
  [
    ["--destroy", "--refresh", "--exclude", "a", "--exclude-dependents"],
    ["destroy", "--refresh", "--run-program", "--exclude", "a", "--exclude-dependents"],
  ],
  [
    ["--target", "a", "--target", "b", "--target-dependents"],
    ["up", "--target", "a", "--target", "b", "--target-dependents"],
  ],
  [
    ["--replace", "a", "--replace", "b"],
    ["up", "--replace", "a", "--replace", "b"],
  ],
  [
    ["--continue-on-error", "--skip-preview"],
    ["up", "--continue-on-error", "--skip-preview"],
  ],
])("%j are those of the engine: %j", (args, command) => {
  expect(commandFor(...args)).toEqual(command);
});

test("a destroy replaces nothing", () => {
  expect(() => commandFor("--destroy", "--replace", "a")).toThrow("--destroy replaces nothing");
});
