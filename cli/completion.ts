import { Argument, type Command } from "commander";
import { command, optionsOf } from "./shell/command";

const shells: Readonly<Record<string, (root: Command) => string>> = { bash, zsh, fish };

/** Prints a script that completes commands and options in a shell. */
export const completion = command("completion", {
  summary: "a script that completes commands and options in a shell",
  description: "Prints a script for bash, zsh or fish that completes the commands of pulumi-platform and their options.",
  examples: [
    ["completion bash > ~/.local/share/bash-completion/completions/pulumi-platform", "for bash"],
    ['completion zsh > "${fpath[1]}/_pulumi-platform"', "for zsh"],
    ["completion fish > ~/.config/fish/completions/pulumi-platform.fish", "for fish"],
  ],
})
  .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)))
  .action((shell: string, _options: unknown, { parent }: Command) => {
    process.stdout.write((parent && shells[shell]?.(parent)) ?? "");
  });

function bash({ commands }: Command): string {
  const cases = commands.map((each) => `    ${each.name()}) words="${optionsOf(each).join(" ")}" ;;`);
  return `_pulumi_platform() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in
    1:*) words="${[...commands.map((each) => each.name()), "help", "--help", "--version"].join(" ")}" ;;
  esac
  [ "$COMP_CWORD" -gt 1 ] && [ "\${current#-}" != "$current" ] && case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
  return 0
}
complete -o default -F _pulumi_platform pulumi-platform
`;
}

function zsh({ commands }: Command): string {
  const cases = commands.map((each) => `      ${each.name()}) compadd -- ${optionsOf(each).join(" ")} ;;`);
  return `#compdef pulumi-platform
_pulumi_platform() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...commands.map((each) => each.name()), "help", "--help", "--version"].join(" ")}
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    case "\${words[2]}" in
${cases.join("\n")}
    esac
  else
    _files
  fi
}
# Loaded from a folder of fpath, the file itself is the function that the first completion calls.
if [ "\${funcstack[1]}" = "_pulumi-platform" ]; then
  _pulumi_platform "$@"
else
  compdef _pulumi_platform pulumi-platform
fi
`;
}

function fish({ commands }: Command): string {
  const names = commands.map(
    (each) =>
      `complete -c pulumi-platform -f -n __fish_use_subcommand -a ${each.name()} -d '${each.summary().replaceAll("'", "\\'")}'`,
  );
  const options = commands.flatMap((each) =>
    optionsOf(each).map(
      (option) => `complete -c pulumi-platform -n '__fish_seen_subcommand_from ${each.name()}' -l ${option.replace("--", "")}`,
    ),
  );
  return `${[...names, ...options].join("\n")}\n`;
}
