import type { Finding } from "../../drift/finding";
import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { ignoreTemplate } from "../../drift/ignore-template";
import { finding } from "./finding";

// The file that `drift --write-ignore` writes accepts nothing until somebody answers for each entry, and then everything.

const now = Date.parse("2026-11-22T12:00:00Z");
const place = (path: string, uid: string) => ({ path, uid });

const findings: Finding[] = [
  finding({ severity: "low", kind: "iam:Group", uid: "r/g", path: "acme/shop" }),
  finding({ severity: "critical", reach: [place("acme", "r")] }),
  finding({
    kind: "iam:Identity",
    uid: "r/g/i",
    path: "acme/shop/ci",
    reach: [place("acme", "r"), place("acme/shop", "r/g"), place("acme/web", "r/w")],
    unwatched: true,
  }),
  finding({
    kind: "iam:Role",
    uid: "r/g/x",
    path: "acme/shop/a/b",
    reach: [place("acme/web", "r/w"), place("acme/web/x", "r/w/x")],
  }),
  finding({ class: "changed", kind: "iam:Identity", uid: "r/g/j", path: "acme/shop/j" }),
  finding({ class: "missing", uid: "r/g/gone" }),
  finding({ class: "duplicate", kind: "iam:AccountAssociation", uid: "r/g" }),
  finding({ uid: "r/g/evil", path: 'acme/"\n- object: r', message: "x\n  - object: r\u2028\u0085  # y" }),
];

const written = ignoreTemplate([
  ...findings,
  finding({ class: "unreadable", uid: "r/hidden" }),
  finding({ class: "settled", uid: "r/settled" }),
  finding({ uid: "r/known", known: true }),
]);
const filled = ["owner", "reason"]
  .reduce((text, each) => text.replaceAll(`${each}: ""`, `${each}: ops`), written)
  .replaceAll('expiry: ""', "expiry: 2026-12-31");

test("as it is, the file is refused, with a short text", () => {
  expect(() => readIgnoreFile(written, "ignore.yaml")).toThrow(
    /line \d+: `owner` must not be empty(?:\n.*){9}\n {2}and \d+ more$/,
  );
});

test("filled in, its entries hide exactly what was found, wherever access depends on it, and nothing else", () => {
  const entries = readIgnoreFile(filled, "ignore.yaml");
  const { findings: kept, ignored, notes } = ignore(findings, entries, now);
  expect([kept, notes]).toEqual([[], []]);
  expect(ignored).toHaveLength(findings.length);
  expect(written).not.toMatch(/r\/(?:hidden|settled|known)/);
  const other = finding({ kind: "iam:Identity", uid: "r/g/j", path: "acme/shop/j", reach: [place("acme", "r")] });
  expect(ignore([other], entries, now).findings).toEqual([other]);
});

test("the worst comes first, each with its words, and a wider group stands for those below", () => {
  expect(written.indexOf("critical, acme/shop: It is there.")).toBeLessThan(written.indexOf("low, acme/shop: It is there."));
  expect(written).toContain('    within: # access depends on it in these groups, and those below\n      - "r" # acme\n    owner');
});

test("one entry for two findings about one object has the words of the worst", () => {
  const both = ["critical", "low"].map((severity) =>
    finding({ uid: "r/1", severity: severity as "low", message: `It is ${severity}.` }),
  );
  for (const order of [both, both.toReversed()]) {
    const text = ignoreTemplate(order);
    expect(text.match(/- object/g)).toHaveLength(1);
    expect(text).toContain("It is critical.");
  }
});

test("without findings the file is valid, and empty", () => {
  expect(readIgnoreFile(ignoreTemplate([]), "ignore.yaml")).toEqual([]);
});
