import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sentenceOf } from "../../access/sentence";
import { markdownCode, markdownText } from "../../cli/markdown";
import { reviewDocumentOf } from "../../cli/review/document";
import { knownOffline } from "../../cli/review/known";
import { reviewMarkdown } from "../../cli/review/markdown";
import { type Review, reviewOf } from "../../cli/review/review";
import { reviewText } from "../../cli/review/text";
import { type PreviewFile, readPreviewFile } from "../../inventory/preview-file";
import { run as runCommand } from "../support/cli";
import { previewOf, root, stays, step } from "../support/preview-steps";

// Each was written by `pulumi preview --json --show-sames` (without the flag where the name says so) of a program like that in
// tests/engine/commands/review.test.ts, less stack traces, source positions and times.
const fixture = (name: string) => readFile(path.join(__dirname, "fixtures", `preview-${name}.json`), "utf8");
const review = (text: string): Review => reviewOf(readPreviewFile(text, "the file"), knownOffline());
const messages = (found: Review) =>
  reviewDocumentOf(found).changes.map(({ severity, effect, message }) => [severity, effect, message]);

test("a preview in words: roles, matches, members and capabilities; what is inherited is no loss", async () => {
  const found = review(await fixture("changes"));
  expect(messages(found)).toEqual([
    [
      "critical",
      "gain",
      'acme.example/eng/shop/ci-shop (anybody whose token of GitHub has a subject matching ".*") becomes owner of acme.example/eng and 2 groups below',
    ],
    [
      "medium",
      "gain",
      'acme.example/zoe (whoever has the subject "zoe" at GitLab), deployer of acme.example and 4 groups below, can now also do CAP_REPO_CREATE',
    ],
    [
      "low",
      "loss",
      "acme.example/engineering/shop/ci-shop (GitHub acme/shop, branch main) is no longer viewer of acme.example/ops",
    ],
    [
      "info",
      "loss",
      "acme.example/engineering/shop/ci-shop (GitHub acme/shop, branch main) is no longer editor of acme.example/engineering and 2 groups below",
    ],
  ]);
  expect(found.bounds).toBe("exact");
  expect(found.renames).toMatchObject([
    { kind: "group", how: "renamed", before: "acme.example/engineering", after: "acme.example/eng" },
  ]);
  expect(reviewText(found)).toContain("becomes owner of acme.example/eng and 2 groups below (was editor)");
});

test("a name with a line feed cannot pass for a line of the review", async () => {
  const forged = (await fixture("changes")).replaceAll('"name": "eng"', String.raw`"name": "eng\ncritical  + forged"`);
  const lines = reviewText(review(forged)).split("\n");
  expect(lines.filter((line) => line.includes("forged")).length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.startsWith("critical  + forged"))).toEqual([]);
});

test("a name with words of the review in it is quoted, so that it cannot pass for them", async () => {
  const forged = (await fixture("changes")).replaceAll('"name": "eng"', '"name": "eng is no longer owner, \\"a"');
  const [first] = reviewDocumentOf(review(forged)).changes;
  expect(first?.message).toContain(String.raw`becomes owner of "acme.example/eng is no longer owner, \"a" and 2 groups below`);
  expect(first?.role).toBe("owner");
  expect(reviewText(review(forged))).toContain(String.raw`is renamed to "acme.example/eng is no longer owner, \"a"`);
});

test.each(["iam:$1", "iam/any:$1"])("resources of the native provider (platform:%s) are read the same way", async (form) => {
  const text = await fixture("changes");
  const native = text.replaceAll(/pulumi-nodejs:dynamic\/platform\/iam:(\w+)/g, `platform:${form}`);
  expect(messages(review(native))).toEqual(messages(review(text)));
});

test("without --show-sames there may be more, and that is said", async () => {
  const found = review(await fixture("without-sames"));
  expect(found.bounds).toBe("lower");
  expect(reviewText(found)).toContain("There may be more: the preview was made without --show-sames");
});

test("what a refresh alone shows does not change: its step has neither id nor outputs of the new state", async () => {
  const preview = JSON.parse(await fixture("changes")) as { steps: { op: string; newState?: object }[] };
  const steps = preview.steps.map((step) =>
    step.op === "same" ? { ...step, op: "refresh", newState: { ...step.newState, id: undefined, outputs: undefined } } : step,
  );
  expect(messages(review(JSON.stringify({ ...preview, steps })))).toEqual(messages(review(JSON.stringify(preview))));
});

describe("of a binding that was made a viewer by hand", () => {
  const [owner, viewer] = ["owner", "viewer"].map(
    (name) => [...knownOffline().roles].find(([, role]) => role.name === name)?.[0],
  );
  const ci = stays("Identity", "ci", {
    parentUid: root,
    name: "ci",
    claimMatch: { issuer: "https://gitlab.com", subject: "ci" },
  });
  const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
  const gives = (parentUid: string) =>
    step("RoleBinding", "new", undefined, { parentUid, identityUid: `${root}/ci`, roleUid: owner });
  const bound = (role: object) => ({ parentUid: root, identityUid: `${root}/ci`, ...role });

  test.each([
    ["uid", { roleUid: owner }, { roleUid: viewer }],
    ["name", { roleName: "owner" }, { roleName: "viewer" }],
  ])("by the role's %s, a refresh shows that: the same role below is a gain", (_by, was, is) => {
    const binding = step("RoleBinding", "b", bound(was), bound(is), {
      op: "refresh",
      outputs: { roleUid: owner, role: { name: "owner" }, identity: { name: "ci" } },
    });
    const found = reviewOf(previewOf(ci, shop, binding, gives(`${root}/shop`)), knownOffline());
    expect(messages(found).map(([severity, effect]) => [severity, effect])).toEqual([["high", "gain"]]);
    expect(found.warnings).toEqual([]);
  });
});

test("without --show-sames, what a refresh shows is not all, even if nothing seems to change: `pulumi refresh` shows the state as it was before", () => {
  const steps = [
    { op: "same", urn: "urn:pulumi:a::b::pulumi:pulumi:Stack::c" },
    { ...stays("Group", "shop", { parentUid: root, name: "shop" }), op: "refresh" },
  ];
  expect(readPreviewFile(JSON.stringify({ steps, changeSummary: { same: 2 } }), "the file").isWhole).toBe(false);
});

test("a first preview: what is not made yet is found by what it depends on, and has no uid", async () => {
  const found = review(await fixture("create"));
  expect(found.unknown).toEqual([]);
  const { changes } = reviewDocumentOf(found);
  const shop = changes.find(({ role }) => role === "editor");
  expect(shop).toMatchObject({ identity: { match: "GitHub acme/shop, branch main" }, reach: 2 });
  expect(shop?.identity).not.toHaveProperty("uid");
  expect(shop?.at).not.toHaveProperty("uid");
  expect(changes.filter(({ effect }) => effect === "loss")).toEqual([]);
});

test("a group that moves is the same group; what it inherited is lost, and its replacement is announced", async () => {
  const found = review(await fixture("move"));
  expect(messages(found).filter(([severity]) => severity !== "info")).toEqual([
    ["low", "loss", expect.stringContaining("is no longer editor of acme.example/engineering/new")],
    ["low", "loss", expect.stringContaining("is no longer editor of acme.example/engineering/shop")],
  ]);
  expect(found.renames.map(({ how, after }) => [how, after])).toContainEqual(["moved", "acme.example/ops/shop"]);
  expect(found.warnings[0]?.message).toContain("is replaced, with the 2 objects of this program in it");
});

test("names in a comment on a pull request can be neither HTML nor links nor mentions", async () => {
  const text = (await fixture("changes")).replaceAll('"zoe"', JSON.stringify("<img src=x> [a](http://x) @acme | `x`"));
  const comment = reviewMarkdown(review(text));
  expect(comment).not.toMatch(/<img|\[a\]\(|@acme/);
  expect(comment).toContain("<details><summary>Details</summary>");
  const change = {
    effect: "gain",
    severity: "high",
    role: { uid: "r" },
    at: { uid: "g" },
    reach: 0,
    groups: [],
    holder: { path: "ci" },
  } as const;
  const changed = { ...change, through: { kind: "login", uid: "i" }, members: ["claim <img src=x> @acme |"] } as const;
  expect(sentenceOf(changed, { name: markdownCode, words: markdownText })).not.toMatch(/<img|@acme|[^\\]\|/);
});

test("the members that an update left behind half-way are named", async () => {
  const file = JSON.parse(await fixture("changes")) as {
    steps: { op: string; urn: string; oldState: { inputs: object }; newState: object }[];
  };
  const access = file.steps.find(({ urn }) => urn.endsWith("GroupAccess::ops"));
  if (access === undefined) throw new Error("no GroupAccess");
  const zoe = Reflect.get(access.newState, "inputs") as object;
  Object.assign(access, { op: "same" });
  Object.assign(access.oldState, { inputs: zoe });
  const found = review(JSON.stringify(file));
  expect(reviewDocumentOf(found).warnings).toEqual([
    {
      urn: access.urn,
      message: expect.stringContaining("these still have access that its program did not declare: ci (viewer)") as string,
    },
  ]);
  expect(messages(found).flat().join()).not.toContain("no longer viewer of acme.example/ops");
});

test("a member that moves from access to exempt keeps its access", async () => {
  const file = JSON.parse(await fixture("changes")) as {
    steps: { urn: string; oldState: { outputs: never }; newState: { inputs: object } }[];
  };
  const access = file.steps.find(({ urn }) => urn.endsWith("GroupAccess::ops"));
  const { ci } = (access?.oldState.outputs as unknown as { access: { viewer: { ci: string } } }).access.viewer;
  Object.assign(access?.newState.inputs ?? {}, { exempt: { identityUids: [ci] } });
  expect(
    messages(review(JSON.stringify(file)))
      .flat()
      .join(),
  ).not.toContain("no longer viewer of acme.example/ops");
});

test("an object that stays by retainOnDelete keeps giving access", async () => {
  const text = (await fixture("changes")).replace(/("op": "delete",[\s\S]*?"oldState": \{)/, '$1 "retainOnDelete": true,');
  const found = review(text);
  expect(found.warnings).toEqual([
    expect.objectContaining({ message: expect.stringContaining("stays on the platform") as string }),
  ]);
});

test("an unknown role counts as if it allowed much", async () => {
  const text = (await fixture("changes")).replaceAll("0b3ded7e8be724d96932bc1ec162aac8953cbcc3", "f".repeat(40));
  const found = review(text);
  expect(reviewDocumentOf(found).changes[0]).toMatchObject({ severity: "critical", role: `role ${"f".repeat(40)}, unknown` });
  expect(found.unknown).toContainEqual(expect.objectContaining({ what: `role ${"f".repeat(40)}` }));
});

test.each([
  ["", "is empty"],
  ["not json", "is not JSON"],
  ['{"sequence":1}\n{"sequence":2}', "is a log of events"],
  ['{"deployment":{}}', "is a state, not a preview"],
  ["[]", "is not a preview"],
  ['{"steps":[{"op":1}]}', "is not a preview (at"],
  ["{}", "is not a preview"],
])("a file that is no preview is refused: %j", (text, message) => {
  expect(() => readPreviewFile(text, "the file")).toThrow(message);
});

test("a preview without any change differs from one without the platform", () => {
  const file = (types: string[]): PreviewFile =>
    readPreviewFile(
      JSON.stringify({
        steps: types.map((type) => ({ op: "same", urn: `urn:pulumi:a::b::${type}::c`, oldState: { urn: "", type } })),
      }),
      "the file",
    );
  expect(file([])).toMatchObject({ isOurs: true, isWhole: false });
  expect(file(["pulumi:pulumi:Stack"]).isOurs).toBe(true);
  expect(file(["aws:s3/bucket:Bucket"]).isOurs).toBe(false);
});

describe("the command", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "review-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (args: string[], environment = {}) => runCommand(["review", ...args], environment);
  const at = (name: string) => path.join(__dirname, "fixtures", `preview-${name}.json`);

  test("--fail-on exits with 7 on a change of that severity or worse, and with 0 below it", async () => {
    expect((await run(["--file", at("changes"), "--fail-on", "high"])).code).toBe(7);
    expect((await run(["--file", at("move"), "--fail-on", "medium"])).code).toBe(0);
    expect((await run(["--file", at("move"), "--fail-on", "any"])).code).toBe(7);
    expect((await run(["--file", at("move")])).code).toBe(0);
  });

  test("a gate lets nothing pass that the preview hides", async () => {
    const hidden = path.join(folder, "hidden.json");
    const parentUid = "0".repeat(40);
    const type = "platform:iam:GroupAccess";
    const state = (inputs: object) => ({ urn: `urn:pulumi:a::b::${type}::c`, type, custom: true, id: parentUid, inputs });
    const [before, after] = [state({ parentUid, access: {} }), state({ parentUid, access: "[secret]" })];
    const step = { op: "update", urn: before.urn, oldState: { ...before, outputs: before.inputs }, newState: after };
    const same = { op: "same", urn: "urn:pulumi:a::b::x:y:Z::z", oldState: { urn: "", type: "x:y:Z" } };
    await writeFile(hidden, JSON.stringify({ steps: [same, step] }));
    const { code, stdout, stderr } = await run(["--file", hidden, "--fail-on", "critical"]);
    expect(code).toBe(1);
    expect(stderr).toContain("--fail-on critical cannot be decided");
    expect(stderr).toContain("the access of");
    expect(stdout).toContain("the access of");
    expect((await run(["--file", hidden])).code).toBe(0);
  });

  test("a gate lets nothing pass where what does not change is not shown", async () => {
    const file = path.join(folder, "without-sames.json");
    await writeFile(file, JSON.stringify({ ...(JSON.parse(await fixture("move")) as object), changeSummary: { same: 99 } }));
    const { code, stderr } = await run(["--file", file, "--fail-on", "medium"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("- what does not change: the preview was made without --show-sames"),
    ]);
    expect((await run(["--file", file])).code).toBe(0);
    const unchanged = path.join(folder, "unchanged.json");
    await writeFile(unchanged, JSON.stringify({ steps: [], changeSummary: { same: 99 } }));
    expect(await run(["--file", unchanged, "--fail-on", "any"])).toMatchObject({ code: 0, stdout: "No access changes.\n" });
  });

  test("a gate lets nothing pass where the platform should be asked and does not answer, unless the review is --offline", async () => {
    const settings = { PLATFORM_BASE_URL: "http://127.0.0.1:9", PLATFORM_ORGANIZATION: "0".repeat(40) };
    const args = ["--file", at("move"), "--fail-on", "medium"];
    const { code, stderr } = await run(args, settings);
    expect([code, stderr]).toEqual([1, expect.stringContaining("- the platform: ")]);
    expect((await run([...args, "--offline"], settings)).code).toBe(0);
  });

  test("a preview that failed exits with 1 and says why, with its JSON document", async () => {
    const { code, stdout, stderr } = await run(["--file", at("failed"), "--json", "--fail-on", "any"]);
    expect(code).toBe(1);
    expect(stderr).toContain("The preview failed, so the review is incomplete");
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      bounds: "lower",
      errors: [expect.stringContaining("A/B"), expect.anything()],
    });
  });

  test("a preview that the CLI ends with an error is incomplete, also where its document does not say why", async () => {
    await writeFile(
      path.join(folder, "pulumi"),
      `#!/bin/sh\ncat "${at("move")}"\necho "error: a policy was violated" >&2\nexit 255\n`,
      { mode: 0o755 },
    );
    const { code, stderr } = await run(["--fail-on", "critical"], { PATH: `${folder}:${process.env["PATH"] ?? ""}` });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("`pulumi preview` ended with exit code 255. a policy was violated"),
    ]);
  });

  test("a file of another program, a missing file and a wrong word are refused", async () => {
    const other = path.join(folder, "other.json");
    const step = { op: "create", urn: "urn:pulumi:a::b::aws:x:Y::z", newState: { urn: "", type: "aws:x:Y" } };
    await writeFile(other, JSON.stringify({ steps: [step] }));
    const refused = await run(["--file", other]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is the preview of another program")]);
    expect((await run(["--file", path.join(folder, "none.json")])).code).toBe(1);
    expect((await run(["--file", at("move"), "--fail-on", "hgh"])).code).toBe(2);
    expect((await run(["--file", at("move"), "--refresh"])).code).toBe(2);
  });
});
