/** Renders Markdown to HTML. */
interface Renderer {
  render(text: string, env: object): string;
}

/** Words by which people look for a page, and which it does not use itself, by its source. */
export const otherWords: Readonly<Record<string, string>> = {
  "docs/guides/runbooks.md": "leaver, offboarding, offboard, deprovision, somebody left the company, incident, undo, rollback",
  "docs/guides/delete-a-department.md": "delete, delete a group, remove a team, close a department",
  "docs/guides/brownfield.md": "import, adopt existing objects, migrate",
  "docs/guides/design-an-organisation.md": "onboarding, joiner, structure, team",
  "docs/guides/credentials.md": "login, log in, sign in, authenticate, OIDC, token, secret",
  "docs/drift.md": "lockout, locked out, lost my own access, changed by hand, revert",
  "docs/resources/group.md": "move, move a team, move a group, rename a group, reparent",
  "docs/resources/identity.md": "service account, machine user, rotate a key, key rotation",
  "docs/resources/role-binding.md": "grant, permission, give access, assign a role",
  "docs/commands/access.md": "who has access, permissions, list, audit",
  "docs/commands/export.md": "generate code, import everything",
  "docs/guides/where-did-the-time-go.md": "slow, performance, profile, OpenTelemetry, OTLP, Jaeger, span",
  "docs/errors.md": "error code, failed, troubleshooting",
};

/** A page for the index: with its other words below the title, and empty for the list of changes, which has every word. */
function indexed(text: string, env: { readonly relativePath: string }, markdown: Renderer): string {
  if (env.relativePath === "CHANGELOG.md") return "";
  const html = markdown.render(text, env);
  const words = otherWords[env.relativePath];
  return words === undefined ? html : html.replace("</h1>", `</h1><p>${words}</p>`);
}

/** The term for the index and for a search; null for a word that says nothing. Also runs in browsers, so it must need nothing else. */
function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  const empty =
    " a all an and any are as at be but by can do does for from have how i if in into is it its me my no not of on or our so some than that the their then there these this to was we what when where which who why will with you your ";
  return word.length < 2 || empty.includes(` ${word} `) ? null : word;
}

/** The search of the site, which works without a network. */
export const search = {
  provider: "local",
  options: {
    _render: indexed,
    miniSearch: {
      options: { processTerm },
      // Two letters begin too many words.
      searchOptions: { prefix: (term: string) => term.length > 2, fuzzy: (term: string) => (term.length > 4 ? 0.2 : false) },
    },
  },
} as const;
