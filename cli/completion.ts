import { Argument, type Command } from "commander";
import { command, optionsOf } from "./shell/command";

const shells: Readonly<Record<string, (root: Command) => string>> = { bash, zsh, fish };

/** Prints a script that completes commands, options and values of options in a shell. */
export const completion = command("completion", {
  summary: "a script that completes commands and options in a shell",
  description:
    "Prints a script for bash, zsh or fish that completes the commands of pulumi-platform, their options, and the values of options;\n" +
    "also after npx, as in `npx --no-install pulumi-platform drift --format`.",
  examples: [
    ["completion bash > ~/.pulumi-platform.bash", "for bash, with `source ~/.pulumi-platform.bash` in ~/.bashrc"],
    ['completion zsh > "${fpath[1]}/_pulumi-platform"', "for zsh"],
    ["completion fish > ~/.config/fish/conf.d/pulumi-platform.fish", "for fish"],
  ],
})
  .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)))
  .action((shell: string, _options: unknown, { parent }: Command) => {
    process.stdout.write((parent && shells[shell]?.(parent)) ?? "");
  });

const namesOf = ({ commands }: Command) => commands.map((each) => each.name());

/** The options with a fixed set of values. */
const choicesOf = ({ options }: Command) =>
  options.flatMap(({ long, argChoices, hidden }) => (long && argChoices && !hidden ? [[long, argChoices] as const] : []));

/**
 * The possible words at a place, as branches of a `case` over `number:command:before:current`. These are the number of the word after
 * `pulumi-platform`, the command, the word before, and the started word.
 */
function branches(root: Command): string {
  const rows: (readonly [pattern: string, words: readonly string[]])[] = [
    ["1:*", [...namesOf(root), "help", "--help", "--version"]],
    ["2:help:*", namesOf(root)],
    ...root.commands.flatMap((each) => [
      ...choicesOf(each).map(([option, values]) => [`*:${each.name()}:${option}:*`, values] as const),
      ...each.registeredArguments.flatMap(({ argChoices }) =>
        argChoices ? [[`2:${each.name()}:*:[!-]*|2:${each.name()}:*:`, argChoices] as const] : [],
      ),
      [`*:${each.name()}:*:-*`, optionsOf(each)] as const,
    ]),
  ];
  return rows.map(([pattern, words]) => `    ${pattern}) words="${words.join(" ")}" ;;`).join("\n");
}

function bash(root: Command): string {
  return `_pulumi_platform() {
  local at=0 words="" current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  while [ "$at" -lt "$COMP_CWORD" ] && [ "\${COMP_WORDS[at]##*/}" != pulumi-platform ]; do at=$((at + 1)); done
  # bash takes --option=value apart.
  if [ "$current" = "=" ]; then current=""; elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  [ "$at" -lt "$COMP_CWORD" ] && case "$((COMP_CWORD - at)):\${COMP_WORDS[at + 1]}:$before:$current" in
${branches(root)}
  esac
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
  return 0
}
complete -o default -F _pulumi_platform pulumi-platform
complete -p npx >/dev/null 2>&1 || complete -o default -F _pulumi_platform npx
`;
}

function zsh(root: Command): string {
  return `#compdef pulumi-platform npx
_pulumi_platform() {
  local at=1 offered="" before="\${words[CURRENT - 1]}"
  while (( at < CURRENT )) && [[ "\${words[at]:t}" != pulumi-platform ]]; do (( at++ )); done
  if [[ "$PREFIX" == --*=* ]]; then before="\${PREFIX%%=*}"; compset -P '*='; fi
  (( at < CURRENT )) && case "$(( CURRENT - at )):\${words[at + 1]}:$before:$PREFIX" in
${branches(root).replaceAll("words=", "offered=")}
  esac
  if [[ -n "$offered" ]]; then compadd -- \${=offered}; else _files; fi
}
# Loaded from a folder of fpath, the file itself is the function that the first completion calls.
if [ "\${funcstack[1]}" = "_pulumi-platform" ]; then
  _pulumi_platform "$@"
else
  compdef _pulumi_platform pulumi-platform npx
fi
`;
}

function fish(root: Command): string {
  const all = namesOf(root).join(" ");
  const lines = (name: string, where: string) => [
    ...root.commands.map(
      (each) =>
        `complete -c ${name} -f -n '${where}not __fish_seen_subcommand_from ${all}' -a ${each.name()} -d '${each.summary().replaceAll("'", "\\'")}'`,
    ),
    ...root.commands.flatMap((each) => {
      const here = `complete -c ${name} -n '${where}__fish_seen_subcommand_from ${each.name()}'`;
      const values = new Map<string, readonly string[]>(choicesOf(each));
      const words = each.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
      return [
        ...optionsOf(each).map((option) => {
          const choices = values.get(option);
          return `${here} -l ${option.replace("--", "")}${choices ? ` -x -a '${choices.join(" ")}'` : ""}`;
        }),
        ...(words.length > 0 ? [`${here} -f -a '${words.join(" ")}'`] : []),
      ];
    }),
  ];
  const afterNpx = "__fish_seen_subcommand_from pulumi-platform; and ";
  return `${[...lines("pulumi-platform", ""), ...lines("npx", afterNpx)].join("\n")}\n`;
}
