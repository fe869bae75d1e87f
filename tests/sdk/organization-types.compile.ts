import { compile } from "../docs/compiler";

const head = 'import { Organization, Team } from "pulumi-platform";\n';
const claimMatch = '{ issuer: "https://a.example", subject: "s" }';

/** Programs, and what the compiler says of each: nothing for those that are right. */
const programs: [string, string, RegExp | undefined][] = [
  [
    "a tree",
    `new Organization("a", { parentUid: "u", groups: { e: { identities: { ci: { claimMatch: ${claimMatch} } } } } });`,
    undefined,
  ],
  ["a file", 'new Organization("a", { parentUid: "u", file: "a.yaml" });', undefined],
  [
    "a person",
    'new Organization("a", { parentUid: "u", groups: { e: { access: { viewer: [{ issuer: "i", subject: "s" }] } } } });',
    undefined,
  ],
  ["a team by path", `new Team("t", { parentPath: "a/b", pipeline: { claimMatch: ${claimMatch} } });`, undefined],
  ["a tree and a file", 'new Organization("a", { parentUid: "u", groups: {}, file: "a.yaml" });', /not assignable/],
  ["a misspelt key", 'new Organization("a", { parentUid: "u", groups: { e: { descripton: "d" } } });', /descripton/],
  ["a parent in an entry", 'new Organization("a", { parentUid: "u", groups: { e: { parentUid: "u" } } });', /parentUid/],
  ["no form", 'new Organization("a", { parentUid: "u", groups: { e: { identities: { ci: {} } } } });', /not assignable/],
  [
    "two forms",
    `new Team("t", { parentUid: "u", pipeline: { claimMatch: ${claimMatch}, servicePrincipal: "S" } });`,
    /not assignable/,
  ],
  [
    "a group that may be missing",
    'new Organization("a", { parentUid: "u", file: "f" }).groups["a/e"].uid;',
    /possibly 'undefined'/,
  ],
];

test("the compiler accepts what the components accept, and rejects what they refuse", () => {
  const problems = compile(programs.map(([origin, text]) => ({ origin, text: head + text })));
  for (const [origin, , expected] of programs) {
    const own = problems.filter((problem) => problem.startsWith(`${origin}: `)).join("\n");
    expect([origin, own]).toEqual([origin, expected === undefined ? "" : expect.stringMatching(expected)]);
  }
});
