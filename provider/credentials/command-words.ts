/**
 * Splits `command` into words as a POSIX shell does, without variables, globs, pipes or redirections. Single quotes keep
 * everything; in double quotes a backslash escapes `"` and `\`; outside quotes it escapes any character.
 *
 * @returns undefined for an unclosed quote or a lone backslash at the end
 */
export function commandWords(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < command.length; index++) {
    let character = command.charAt(index);
    if (!quote && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (character === quote) {
      quote = "";
      continue;
    }
    if (!quote && (character === "'" || character === '"')) {
      quote = character;
      continue;
    }
    if (character === "\\" && isEscape(quote, command[index + 1])) {
      index++;
      if (index === command.length) return undefined;
      character = command.charAt(index);
    }
    word += character;
  }
  if (quote) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

function isEscape(quote: string, next: string | undefined): boolean {
  return quote === "" || (quote === '"' && (next === '"' || next === "\\"));
}
