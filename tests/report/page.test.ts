import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { reportHtml } from "../../cli/report/html";
import { bySeverity, type Severity } from "../../access/severity";
import type { ReportData } from "../../report/report-data";
import { startBrowser, type TestBrowser } from "../support/browser";
import { sampleReport } from "./sample";
import { scratchFolder } from "../support/scratch-folder";

const built = path.resolve(__dirname, "../../dist/report");
const assets = {
  script: readFileSync(path.join(built, "page.js"), "utf8"),
  style: readFileSync(path.join(built, "page.css"), "utf8"),
};
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let browser: TestBrowser;
let requests: string[];
let problems: string[];

beforeAll(async () => {
  browser = await startBrowser();
});

beforeEach(() => {
  requests = [];
  problems = [];
});

afterAll(() => browser.close());

async function open(data: ReportData): Promise<Page> {
  const file = path.join(scratchFolder(), "report.html");
  await writeFile(file, reportHtml(data, assets));
  const page = await browser.context.newPage();
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(pathToFileURL(file).href);
  await page.getByRole("tree").waitFor();
  return page;
}

const small = sampleReport({ groups: 30, identities: 60, grants: 90 });

test("the page is one file: it loads nothing, and its own policy is not violated", async () => {
  const page = await open(small);
  await page.getByRole("tab", { name: "Matrix" }).click();
  await page.getByRole("tab", { name: "Drift" }).click();
  expect(requests).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("invisible characters are spelt out: no name passes for another", async () => {
  const page = await open({ ...small, title: "ac\u200bme \u202eevil" });
  expect(await page.content()).not.toMatch(/[\u200b\u202e]/);
});

test("groups open and close by the keyboard", async () => {
  const page = await open(small);
  const tree = page.getByRole("tree");
  const items = tree.getByRole("treeitem");
  await tree.focus();
  await page.keyboard.press("ArrowLeft");
  await items.nth(1).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await items.nth(1).waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await items
    .last()
    .and(tree.getByRole("treeitem", { selected: true }))
    .waitFor();
  await page.keyboard.press("ArrowRight");
  await items
    .last()
    .and(tree.getByRole("treeitem", { level: 3 }))
    .waitFor();
  expect(await items.first().getAttribute("aria-level")).toBe("1");
});

test("a group shows who has access, granted there or above", async () => {
  const page = await open(small);
  await page.goto(`${page.url()}#${encodeURIComponent("root/g1")}`);
  const table = page.getByRole("table");
  await page.getByRole("heading", { name: "acme/team-1", exact: true }).waitFor();
  const rows = await table.getByRole("row").allTextContents();
  const expected = small.grants.filter(({ place }) => place === "root" || place === "root/g1");
  expect(rows).toHaveLength(expected.length + 1);
  expect(rows.filter((row) => row.endsWith("here"))).toHaveLength(expected.filter(({ place }) => place === "root/g1").length);
});

test("the search finds an identity by how it logs in and shows what it can reach", async () => {
  const page = await open(small);
  await page.getByRole("combobox").fill("service-17 github");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /What it can reach/ }).waitFor();
  const holder = small.holders[17]?.uid;
  const heading = await page.getByRole("heading", { name: /What it can reach/ }).textContent();
  expect(heading).toBe(`What it can reach (${small.grants.filter((grant) => grant.holder === holder).length})`);
  expect(await page.locator("#view").textContent()).toContain("GitHub acme/service-17, branch main");
});

test("the matrix has a role for each identity and group, and moves by the keyboard", async () => {
  const page = await open(small);
  await page.getByRole("tab", { name: "Matrix" }).click();
  const grid = page.getByRole("grid");
  await grid.focus();
  await page.keyboard.press("Control+End");
  const active = await grid.getAttribute("aria-activedescendant");
  const rowCount = Number(await grid.getAttribute("aria-rowcount"));
  const columnCount = Number(await grid.getAttribute("aria-colcount"));
  expect(active).toBe(`cell-${rowCount - 2}-${columnCount - 2}`);
  await page.locator(`#${active ?? ""}`).waitFor();
  expect(rowCount - 1).toBe(new Set(small.grants.map(({ holder }) => holder)).size);
});

test("drift is marked on the way to it in the tree, and listed", async () => {
  const page = await open(small);
  expect(await page.getByRole("treeitem").first().textContent()).toContain("drift, critical at worst");
  await page.getByRole("tab", { name: "Drift (2)" }).click();
  expect(await page.getByRole("row").count()).toBe(3);
});

test("what was not compared is beside the drift, and keeps the page from saying that there is none", async () => {
  const page = await open({ ...small, findings: [], notes: ["Not compared: description of acme"] });
  await page.getByRole("tab", { name: "Drift (0)" }).click();
  const view = await page.locator("#view").textContent();
  expect(view).toContain("Not compared: description of acme");
  expect(view).toContain("No drift in what was compared.");
});

test("what could not be read is at the top", async () => {
  const page = await open({ ...small, unreadable: [{ what: "role bindings in acme/secret", reason: "403" }] });
  expect(await page.getByRole("region", { name: "Incomplete" }).textContent()).toContain("role bindings in acme/secret: 403");
});

test("text of the platform is text, whatever it holds", async () => {
  const hostile = '</script><script>document.title="broken"</script><img src=x onerror=alert(1)>';
  const groups = small.groups.map((group) => ({ ...group, name: hostile, description: hostile }));
  const page = await open({ ...small, title: hostile, groups });
  expect(await page.title()).toBe(`Access in ${hostile}`);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(`Access in ${hostile}`);
  expect(await page.locator("img").count()).toBe(0);
  expect(problems).toEqual([]);
});

test.each([
  ["light", "axe.run()"],
  // Colours are all that differs.
  ["dark", 'axe.run({ runOnly: ["color-contrast"] })'],
] as const)("an accessibility audit finds nothing in %s colours", async (colorScheme, audit) => {
  // Of everything one or more: an audit takes long for each element.
  const page = await open(sampleReport({ groups: 4, identities: 6, grants: 10 }));
  await page.emulateMedia({ colorScheme });
  await page.evaluate(axe);
  for (const tab of ["Details", "Matrix", "Drift"]) {
    await page.getByRole("tab", { name: tab }).click();
    const { violations, passes } = await page.evaluate<Record<string, { id: string; nodes: { html: string }[] }[]>>(audit);
    expect(violations?.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    expect(passes?.map(({ id }) => id)).toContain("color-contrast");
  }
});

test("on paper, every group is there with what is granted in it", async () => {
  const page = await open(small);
  await page.pdf();
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("#paper section").count()).toBe(small.groups.length);
  expect(await page.locator("#paper section li").count()).toBe(small.grants.length);
});

test("of ten thousand objects only what is visible is rendered", async () => {
  const page = await open(sampleReport({ groups: 2_000, identities: 4_000, grants: 4_000 }));
  await page.getByRole("button", { name: "Open all" }).click();
  await page.getByRole("tab", { name: "Matrix" }).click();
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+End");
  expect(await page.locator("#page *").count()).toBeLessThan(3_000);
});

test("whoever may do most stands first", async () => {
  const page = await open(small);
  const marks = await page.locator("#view td .mark").allTextContents();
  expect(marks).toEqual(marks.toSorted((one, other) => bySeverity(one as Severity, other as Severity)));
  expect(marks.length).toBeGreaterThan(3);
  await page.close();
});

test.each([390, 1280])("at %i pixels nothing is wider than the screen, and no severity is broken", async (width) => {
  const page = await open(small);
  await page.setViewportSize({ width, height: 900 });
  for (const tab of ["Details", "Drift"]) {
    await page.getByRole("tab", { name: tab }).click();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(
      await page.evaluate("[...document.querySelectorAll('#view .mark')].map((mark) => mark.getClientRects().length)"),
    ).not.toContain(2);
  }
  await page.close();
});

test("a narrow screen breaks a path after a slash, and not within a name", async () => {
  const groups = small.groups.map((group) => ({ ...group, name: "warehouse" }));
  const page = await open({ ...small, groups, title: Array(6).fill("warehouse").join("/") });
  await page.setViewportSize({ width: 390, height: 900 });
  const lines = `[...document.querySelectorAll("h1, h2, #view td a")].flatMap((link) => [...link.childNodes].flatMap((node) => {
    const range = document.createRange();
    range.selectNode(node);
    return node.nodeType === Node.TEXT_NODE && node.data.includes("warehouse") ? [range.getClientRects().length] : [];
  }))`;
  expect([...new Set(await page.evaluate<number[]>(lines))]).toEqual([1]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  await page.close();
});
