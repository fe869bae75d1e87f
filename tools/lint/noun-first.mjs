/** Words with which a sentence starts before it has named its subject. */
const pronoun = /^(?:What|Whoever|Those|None|Such|One that)\b/;

/** A sentence starts a comment, a line after a blank one, an item or a tag, or follows the end of another sentence. */
const starts = /(?:^\s*|\n\s*\n\s*|\n\s*(?:[-*]|@\w+)\s+|[.!?][)`"]?\s+)(?=[A-Z])/g;

/** ESLint rule: a sentence of a comment names its noun first (docs/contributing/architecture.md#comments). */
export const nounFirst = {
  meta: { type: "suggestion", schema: [] },
  create({ sourceCode, report }) {
    return {
      Program() {
        for (const { text, loc } of paragraphs(sourceCode.getAllComments())) {
          const wrong = [...text.matchAll(starts)].map(
            ({ 0: { length }, index }) => pronoun.exec(text.slice(index + length))?.[0],
          );
          for (const word of wrong.filter((found) => found !== undefined)) {
            report({
              loc,
              message: `A sentence begins with "${word}": name the noun (docs/contributing/architecture.md#comments).`,
            });
          }
        }
      },
    };
  },
};

/** Comments as texts without asterisks. Line comments on adjacent lines are one text. */
function paragraphs(comments) {
  const found = [];
  for (const { type, value, loc } of comments) {
    const last = found.at(-1);
    if (type === "Block") found.push({ text: value.replace(/^\s*\*+[ \t]?/gm, ""), loc });
    else if (last?.line === loc.start.line - 1)
      Object.assign(last, { text: `${last.text}\n${value.trim()}`, line: loc.start.line });
    else found.push({ text: value, loc, line: loc.start.line });
  }
  return found;
}
