import fc from "fast-check";
import { commandWords } from "../../provider/credentials/command-words";

describe("commandWords", () => {
  test.each([
    ["words are separated by any white space", " vault \t read\ntoken ", ["vault", "read", "token"]],
    ["single quotes keep everything", String.raw`a 'b "c" \d'`, ["a", String.raw`b "c" \d`]],
    ["double quotes keep single quotes and spaces", `a "it's one"`, ["a", "it's one"]],
    [
      "in double quotes a backslash escapes a quote and itself only",
      String.raw`"a\"b" "c\\d" "C:\tools"`,
      [`a"b`, String.raw`c\d`, String.raw`C:\tools`],
    ],
    ["outside quotes a backslash escapes any character", String.raw`a\ b \'c \\`, ["a b", "'c", "\\"]],
    ["quoted and bare parts join", `--name='two words'"!"`, ["--name=two words!"]],
    ["empty quotes are a word", `a '' ""`, ["a", "", ""]],
    [
      "nothing that a shell would expand is expanded",
      "echo $HOME *.ts | cat > x",
      ["echo", "$HOME", "*.ts", "|", "cat", ">", "x"],
    ],
    ["nothing is no word", "  ", []],
  ])("%s", (_, command, words) => {
    expect(commandWords(command)).toEqual(words);
  });

  test.each([`a 'b`, `a "b`, `"a\\"`, "a\\"])("what is left open is refused: %s", (command) => {
    expect(commandWords(command)).toBeUndefined();
  });

  test("any words come back when each is quoted, whichever way", () => {
    const single = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
    const double = (word: string) => `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    const escaped = (word: string) => (word === "" ? "''" : word.replaceAll(/./gsu, String.raw`\$&`));
    const quoted = fc.tuple(fc.string({ unit: "grapheme" }), fc.constantFrom(single, double, escaped));
    fc.assert(
      fc.property(fc.array(quoted), fc.constantFrom(" ", "\t", " \n "), (words, gap) => {
        expect(commandWords(words.map(([word, quote]) => quote(word)).join(gap))).toEqual(words.map(([word]) => word));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
