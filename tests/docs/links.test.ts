import { existsSync } from "node:fs";
import path from "node:path";
import { anchors, checkout, pages, read, withoutBlocks } from "./markdown";

test.each(pages())("every link in %s works", (page) => {
  const prose = withoutBlocks(read(page));
  const targets = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  const broken = targets
    .filter((target) => !/^(https|mailto):/.test(target))
    .filter((target) => {
      const [file = "", anchor] = target.split("#");
      const linked = file === "" ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(checkout, linked))) return true;
      return anchor !== undefined && !anchors(linked).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test("every test that SECURITY.md names is there, and each layer names one", () => {
  const named = (text: string) => [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = ""]) => file);
  const page = read("SECURITY.md");
  expect(named(page).filter((file) => !existsSync(path.join(checkout, file)))).toEqual([]);
  const [, layers = ""] = /^## Layers\n(.*?)^## /ms.exec(page) ?? [];
  const rows = layers
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((row) => named(row).length === 0)).toEqual([]);
});

/** The pages that `page` links to. */
function linkedFrom(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([^)#]+)/g)].map(([, target = ""]) => target);
  return targets.map((target) => path.join(path.dirname(page), target)).filter((target) => pages().includes(target));
}

test("every page for users is at most two clicks from the README, and the index by task leads to every guide", () => {
  const near = new Set(linkedFrom("README.md").flatMap((page) => [page, ...linkedFrom(page)]));
  const forUsers = pages().filter((page) => /^docs\/(?!contributing\/|decisions\/)/.test(page));
  expect(forUsers.filter((page) => !near.has(page))).toEqual([]);
  const guides = forUsers.filter((page) => page.startsWith("docs/guides/"));
  expect(linkedFrom("docs/index.md")).toEqual(expect.arrayContaining(guides));
});

test("the README is short: it links to what it does not say", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThan(10_000);
});

test("every page of docs/ is linked from another page", () => {
  const all = pages();
  const linked = all.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#]+)/g)].map(([, target = ""]) => path.join(path.dirname(page), target)),
  );
  const lonely = all.filter(
    (page) => page.startsWith("docs/") && !linked.some((target) => target === page || `${target}/` === `${path.dirname(page)}/`),
  );
  expect(lonely).toEqual([]);
});

const rooms = /`((?:provider|sdk|cli|emulator|examples|scripts|tests|docs)\/[\w./-]*)`/g;

test.each(pages())("every file of the checkout that %s names exists", (page) => {
  const named = [...read(page).matchAll(rooms)].map(([, file = ""]) => file);
  expect(named.filter((file) => !existsSync(path.join(checkout, file)))).toEqual([]);
});
