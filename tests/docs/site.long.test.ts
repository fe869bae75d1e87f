import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import path from "node:path";
import type { Page } from "playwright-core";
import { type Described, filesPages, inOtherLanguages, sections } from "../../site/pages";
import { startBrowser, type TestBrowser } from "../support/browser";
import { checkout, read } from "./markdown";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const listed = sections().flatMap(({ link = [], items }) => [link, ...items.map((item) => item.link)].flat());
const files = filesPages().map(({ page }) => `/${page}`);
const links = [...new Set(["/", "/resources/", ...listed.filter((link) => !link.startsWith("/#")), ...files])];

let server: ChildProcess;
let browser: TestBrowser;
let site: string;

beforeAll(async () => {
  server = spawn(process.execPath, [path.join(checkout, "scripts/site.mjs"), "--serve"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit").then(([code]) => Promise.reject(new Error(`npm run site ended with ${String(code)}.`)));
  if (server.stdout === null) throw new Error("The output of npm run site is not read.");
  [site] = (await Promise.race([once(createInterface(server.stdout), "line"), ended])) as [string];
  ended.catch(() => undefined);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  server.kill();
});

/** Opens a page by its link in the sidebar. */
async function open(page: Page, link: string): Promise<void> {
  await page.goto(new URL(link.endsWith("/") ? link : `${link}.html`, site).href);
  // Colours fade when the theme changes, and an audit during that finds too little contrast.
  await page.addStyleTag({ content: "* { transition: none !important; }" });
}

/** The findings of an audit of an open page. Around its text, all pages are alike, so only the first two are audited as a whole. */
async function audit(page: Page, link: string, colorScheme: "light" | "dark"): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  const [part, rules] = [
    links.indexOf(link) < 2 ? "document" : "'main'",
    colorScheme === "light" ? "{}" : '{ runOnly: ["color-contrast"] }',
  ];
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${part}, ${rules})`,
  );
  return violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes[0]?.html ?? ""}`);
}

const tooWide =
  "[...document.querySelectorAll('html, .vp-doc .table')].filter((each) => each.scrollWidth > each.clientWidth).length";

test.each(links)("%s fits 390 and 1280 pixels, an audit finds nothing, and nothing comes from elsewhere", async (link) => {
  const page = await browser.context.newPage();
  const problems: string[] = [];
  page.on("request", (request) => new URL(request.url()).origin === new URL(site).origin || problems.push(request.url()));
  page.on("pageerror", (error) => problems.push(error.message));
  await open(page, link);
  await page.evaluate(axe);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const found = [...(await audit(page, link, "light")), ...(await audit(page, link, "dark"))];
    if ((await page.evaluate<number>(tooWide)) > 0) found.push("it, or a table, is too wide");
    problems.push(...found.map((problem) => `${width}: ${problem}`));
  }
  await page.close();
  expect(problems).toEqual([]);
});

test("the search finds a page by a word in it", async () => {
  const page = await browser.context.newPage();
  await open(page, "/");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("deletionProtection");
  await page.getByRole("option", { name: /Group/ }).first().click();
  await page.waitForURL(/\/resources\/group\.html/);
  await page.close();
});

test.each([
  ["somebody left", "/guides/runbooks"],
  ["offboarding", "/guides/runbooks"],
  ["rotate a key", "/resources/identity"],
  ["move a team", "/resources/group"],
  ["locked out", "/drift"],
  ["delete", "/guides/delete-a-department"],
  ["who has access", "/commands/access"],
  ["import existing", "/guides/brownfield"],
])("a newcomer who searches for %s finds %s among the first three", async (query, wanted) => {
  const page = await browser.context.newPage();
  await open(page, "/");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill(query);
  const found = page.getByRole("option").getByRole("link");
  await found.first().waitFor();
  const first = await found.evaluateAll((links: { pathname: string }[]) => links.slice(0, 3).map(({ pathname }) => pathname));
  expect(first.map((pathname) => pathname.replace(/\.html$/, ""))).toContain(wanted);
  await page.close();
});

test("the search passes over words that say nothing, and over the list of changes", async () => {
  const page = await browser.context.newPage();
  await open(page, "/");
  await page.getByRole("button", { name: "Search" }).click();
  const [box, found] = [page.getByRole("searchbox"), page.getByRole("option").getByRole("link")];
  await box.fill("PLATFORM_TOKEN");
  await found.first().waitFor();
  const pathnames = await found.evaluateAll((links: { pathname: string }[]) => links.map(({ pathname }) => pathname));
  expect(pathnames).not.toContain("/changelog.html");
  await box.fill("how do the");
  await page.getByText("No results for").waitFor();
  await page.close();
});

test("the examples that the schema has of a resource are tabs of its page", async () => {
  const page = await browser.context.newPage();
  await open(page, "/resources/group");
  const schema = JSON.parse(read("schema.json")) as Described;
  const blocks = inOtherLanguages(read("docs/resources/group.md"), schema).match(/^```\w+$/gm) ?? [];
  expect(await page.locator(".vp-code-group label").count()).toBe(blocks.length);
  await page.close();
});
