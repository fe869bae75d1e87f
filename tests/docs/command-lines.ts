import { withoutBlocks } from "./markdown";
import { commandsOf } from "./shell-blocks";

/** The words after `pulumi-platform` of each command line in a text of shell or YAML, as far as its options are written there. */
export function commandLines(text: string): string[][] {
  const asWords = text.replaceAll(/\[(npx, [^\]]*)\]/g, (_, list: string) => list.replaceAll(", ", " "));
  return commandsOf(asWords).flatMap((line) => {
    const found = line.matchAll(/(?:npx --no-install |\.bin\/)pulumi-platform ((?:'[^']*'|"[^"]*"|\$\{[^}]*\}|[^|<>&;()#'"])*)/g);
    return [...found].map(([, words = ""]) => wordsOf(words));
  });
}

/** The same of each command line with options in the prose of a page. */
export function commandLinesInProse(page: string): string[][] {
  const found = withoutBlocks(page).matchAll(/`(?:npx --no-install )?pulumi-platform\s([^`|]*-[^`|]*)`/g);
  return [...found].map(([, words = ""]) => wordsOf(words));
}

/** Words as a shell splits them. The value of `${like:+--like "$like"}` is taken for set, that of `$options` for empty. */
function wordsOf(line: string): string[] {
  const chosen = line.replaceAll(/\$\{\w+:\+([^}]*)\}/g, "$1").replaceAll(/(?<!\S)\$\w+(?!\S)/g, "");
  return (chosen.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []).map((word) => word.replaceAll(/['"]/g, ""));
}
