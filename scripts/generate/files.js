const { readFileSync } = require("node:fs");
const path = require("node:path");
const { organizationSchema } = require("./organization-schema.js");
const { schemaOf } = require("./schema.js");
const { tablesOf, withTables } = require("./tables.js");

const checkout = path.resolve(__dirname, "../..");
const read = (file) => readFileSync(path.join(checkout, file), "utf8");

/** The page of a kind. */
function pageOf({ name }) {
  return `docs/resources/${name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.md`;
}

/**
 * The generated files as they follow from `kinds`, by their paths in the checkout. Of a page only the tables are generated.
 *
 * @param {object[]} kinds
 * @param {Map<string, string>} comments
 * @returns {Map<string, string>}
 */
function generatedFiles(kinds, comments) {
  const schema = schemaOf(kinds, comments, JSON.parse(read("package.json")));
  return new Map([
    ...kinds.map((kind) => [pageOf(kind), withTables(read(pageOf(kind)), tablesOf(kind, comments))]),
    ["schema.json", `${JSON.stringify(schema, undefined, 2)}\n`],
    ["organization.schema.json", `${JSON.stringify(organizationSchema(kinds, comments), undefined, 2)}\n`],
  ]);
}

module.exports = { generatedFiles };
