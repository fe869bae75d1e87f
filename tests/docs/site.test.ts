import { readdirSync } from "node:fs";
import path from "node:path";
import { filesPages, inOtherLanguages, pageOf, sections, siteLink, sources, startPage } from "../../site/pages";
import { otherWords } from "../../site/search";
import { checkout, pages, read, withoutBlocks } from "./markdown";

const contributors = /^(?:CONTRIBUTING|docs\/contributing\/|docs\/decisions\/)/;
const urlOf = (source: string) => `/${pageOf(source)}`.replace(/\/index$/, "/");
const forUsers = pages().filter((page) => !contributors.test(page));
const examples = readdirSync(path.join(checkout, "examples")).map((name) => `/examples/${name}`);

test("every page for users is in the sidebar of the site, and every example, each once", () => {
  const links = sections().flatMap(({ link = [], items }) => [link, ...items.map((item) => item.link)].flat());
  const listed = links.filter((link) => !link.startsWith("/#"));
  const wanted = forUsers.filter((page) => page !== "docs/index.md").map(urlOf);
  expect(listed.toSorted()).toEqual([...wanted, ...examples].toSorted());
});

test.each([
  ["Resources", "docs/resources"],
  ["Components", "docs/components"],
  ["Data sources", "docs/data-sources"],
  ["Commands", "docs/commands"],
])("the section %s has the pages of %s and no others", (section, folder) => {
  const found = sections().find(({ text }) => text === section);
  const below = forUsers.filter((page) => page.startsWith(`${folder}/`) && !page.endsWith("/index.md"));
  expect(found?.items.map(({ link }) => link).toSorted()).toEqual(below.map(urlOf).toSorted());
});

test("docs/index.md leads to every page that has no section of its own", () => {
  expect(sections().map(({ text }) => text)).not.toContain("More");
});

test.each(sources)("every link in %s leads to a page of the site", (source) => {
  const known = new Set([...forUsers.map(urlOf), ...filesPages().map(({ page }) => `/${page}`)]);
  const targets = [...withoutBlocks(read(source)).matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  // The site takes pictures in as they are; tests/docs/links.test.ts looks whether they exist.
  const inside = targets.filter((target) => !/^(?:https|mailto):|\.svg$/.test(target));
  expect(inside.filter((target) => !known.has(siteLink(source, target)?.split("#")[0] ?? ""))).toEqual([]);
});

test("the pages for which the search knows other words exist", () => {
  expect(Object.keys(otherWords).filter((source) => !sources.includes(source))).toEqual([]);
});

test("the examples of a resource are those of the schema, in its order, by what the title of the page names", () => {
  const described = (program: string) => ({
    description: `Text.\n\n\`\`\`python\n${program}\n\`\`\`\n\n\`\`\`go\n${program}\n\`\`\`\n`,
  });
  const resources = { "platform:iam:Group": described("group"), "platform:iam:GroupAccess": described("access") };
  const shown = inOtherLanguages("# Group\n\nText.\n", { resources, functions: {} });
  expect(shown.match(/^(```\w+|\w+)$/gm)).toEqual(["```python", "group", "```go", "group"]);
  expect(inOtherLanguages("# Organization\n", { resources, functions: {} })).toBe("");
});

test("the start page has what the README says first, its two commands and its program, and every task", () => {
  const tasks = read("docs/index.md");
  const page = startPage(tasks, read("README.md"), "title");
  for (const part of ["A program declares an organisation: ", "| `npm start` ", "| `npm test` ", 'new Group("shop"'])
    expect(page).toContain(part);
  expect(page).toContain(tasks.slice(tasks.indexOf("## ")));
});
