import { execFileSync } from "node:child_process";
import path from "node:path";
import { checkout, read } from "../docs/markdown";

const [tarball] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: checkout, encoding: "utf8", stdio: "pipe" }),
) as [{ files: { path: string }[] }];
const packed = tarball.files.map((file) => file.path);
const pages = packed.filter((file) => file.endsWith(".md"));

test("the tarball has the README and the pages of the documentation", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/configuration.md"]));
});

test.each(pages)("every link of the packed %s leads to a packed file", (page) => {
  const prose = read(page).replaceAll(/^```.*?^```$/gms, "");
  const targets = [...prose.matchAll(/\]\(([^)#]+)/g)].map(([, target = ""]) => target);
  const broken = targets.filter((target) => {
    if (/^\w+:/.test(target)) return false;
    const file = path.join(path.dirname(page), target).replace(/\/$/, "");
    return !packed.some((each) => each === file || each.startsWith(`${file}/`));
  });
  expect(broken).toEqual([]);
});

/** The text of a file that readers of the package see, for running code without its comments. */
function shown(file: string): string {
  return file.endsWith(".js") ? read(file).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "") : read(file);
}

test("whatever the package shows, declarations and messages too, cites only pages that it has", () => {
  const cited = packed.flatMap((file) =>
    [...shown(file).matchAll(/\b(?:docs\/[\w/-]+|CONTRIBUTING)\.md\b/g)].map(([page]) => ({ file, page })),
  );
  expect(cited.filter(({ file }) => file.endsWith(".d.ts")).length).toBeGreaterThan(50);
  expect(cited.filter(({ page }) => !packed.includes(page))).toEqual([]);
});

test("the tarball has the licences of what is bundled into the page of reports", () => {
  expect(packed).toContain("dist/report/THIRD-PARTY-NOTICES.txt");
  expect(read("dist/report/THIRD-PARTY-NOTICES.txt")).toMatch(/^preact \d[\d.]+ \(MIT\)\n\nThe MIT License/);
});

test("the tarball has nothing but the compiled package, its schemas, its pages and its examples", () => {
  const strange = packed.filter(
    (file) =>
      !/^(dist\/|docs\/(.*\.md|images\/.*\.svg)$|examples\/|schemas\/|[A-Z]+(\.md)?$|(package|organization\.schema)\.json$)/.test(
        file,
      ),
  );
  expect(strange).toEqual([]);
  expect(packed.filter((file) => /node_modules|\.state|Pulumi\.\w+\.yaml/.test(file))).toEqual([]);
});
