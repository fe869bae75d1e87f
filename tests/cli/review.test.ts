import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sentenceOf } from "../../access/prose/sentence";
import { markdownCode, markdownText } from "../../cli/text/markdown";
import { reviewDocumentOf } from "../../cli/review/document";
import { reviewMarkdown } from "../../cli/review/markdown";
import { type Review, reviewOf } from "../../cli/review/review";
import { reviewText } from "../../cli/review/text";
import { readPreviewFile } from "../../preview/file";
import { expectEnd, pulumiIn, run } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";
import {
  giving,
  identity,
  made,
  offline,
  reviewed,
  roleUid,
  root,
  stays,
  step,
  undecidedIn,
  warningsIn,
} from "../support/preview-steps";
import { review as reviewSteps } from "../support/review-gate";

// Each was written by `pulumi preview --json --show-sames` (without the flag where the name says so) of a program like that in
// tests/engine/commands/review.test.ts, less stack traces, source positions and times.
const at = (name: string) => path.join(__dirname, "fixtures", `preview-${name}.json`);
const fixture = (name: string) => readFile(at(name), "utf8");
const review = (text: string): Review => reviewOf(readPreviewFile(text, "the file"), offline);
const messages = (found: Review) =>
  reviewDocumentOf(found).changes.map(({ severity, effect, message }) => [severity, effect, message]);
const opsViewers = "no longer viewer of acme.example/ops";

test("a preview in words: roles, matches, members and capabilities; what is inherited is no loss", async () => {
  const found = review(await fixture("changes"));
  expect(messages(found)).toEqual([
    [
      "critical",
      "gain",
      'acme.example/eng/shop/ci-shop (anybody who can run a GitHub Actions workflow, with subject matching ".*") becomes owner of acme.example/eng and 2 groups below',
    ],
    [
      "medium",
      "gain",
      'acme.example/zoe (whoever has the subject "zoe" at https://gitlab.example), deployer of acme.example and 4 groups below, can now also do CAP_REPO_CREATE',
    ],
    ["low", "loss", expect.stringContaining(opsViewers)],
    ["info", "loss", expect.stringContaining("no longer editor of acme.example/engineering")],
  ]);
  expect(found).toMatchObject({
    bounds: "exact",
    renames: [{ kind: "group", how: "renamed", before: "acme.example/engineering", after: "acme.example/eng" }],
  });
  expect(reviewText(found)).toContain("becomes owner of acme.example/eng and 2 groups below (was editor)");
});

describe("a name in a preview", () => {
  const named = async (name: string) =>
    review((await fixture("changes")).replaceAll('"name": "eng"', `"name": ${JSON.stringify(name)}`));

  test("with a line feed cannot pass for a line of the review", async () => {
    const lines = reviewText(await named("eng\ncritical  + forged")).split("\n");
    expect(lines.filter((line) => line.includes("forged")).length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.startsWith("critical  + forged"))).toEqual([]);
  });

  test("with words of the review in it is quoted, so that it cannot pass for them", async () => {
    const found = await named('eng is no longer owner, "a');
    const quoted = String.raw`"acme.example/eng is no longer owner, \"a"`;
    expect(reviewDocumentOf(found).changes[0]).toMatchObject({
      message: expect.stringContaining(`becomes owner of ${quoted}`) as string,
      role: "owner",
    });
    expect(reviewText(found)).toContain(`is renamed to ${quoted}`);
  });

  test("can be neither HTML nor a link nor a mention in a comment on a pull request", async () => {
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
      through: { kind: "login", uid: "i" },
      members: ["claim <img src=x> @acme |"],
    } as const;
    expect(sentenceOf(change, { name: markdownCode, words: markdownText })).not.toMatch(/<img|@acme|[^\\]\|/);
  });
});

test.each(["iam:$1", "iam/any:$1"])("resources of the native provider (platform:%s) are read the same way", async (form) => {
  const text = await fixture("changes");
  const types = text.replaceAll(/pulumi-nodejs:dynamic\/platform\/iam:(\w+)/g, `platform:${form}`);
  const native = types.replaceAll("pulumi:providers:pulumi-nodejs", "pulumi:providers:platform");
  expect(messages(review(native))).toEqual(messages(review(text)));
});

test("without --show-sames there may be more, and that is said", async () => {
  const found = review(await fixture("without-sames"));
  expect(found.bounds).toBe("lower");
  expect(reviewText(found)).toContain("without --show-sames");
});

test("what a refresh alone shows does not change: its step has neither id nor outputs of the new state", async () => {
  const preview = JSON.parse(await fixture("changes")) as { steps: { op: string; newState?: object }[] };
  const steps = preview.steps.map((each) =>
    each.op === "same" ? { ...each, op: "refresh", newState: { ...each.newState, id: undefined, outputs: undefined } } : each,
  );
  expect(messages(review(JSON.stringify({ ...preview, steps })))).toEqual(messages(review(JSON.stringify(preview))));
});

test.each([
  ["uid", { roleUid: roleUid("owner") }, { roleUid: roleUid("viewer") }],
  ["name", { roleName: "owner" }, { roleName: "viewer" }],
])(
  "a refresh shows that a binding was made a viewer by hand, by the role's %s: the same role below is a gain",
  (_by, was, is) => {
    const [before, after] = [was, is].map((role) => ({ parentUid: root, identityUid: `${root}/ci`, ...role }));
    const outputs = { roleUid: roleUid("owner"), role: { name: "owner" }, identity: { name: "ci" } };
    const binding = step("RoleBinding", "b", before, after ?? {}, { op: "refresh", outputs });
    const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
    const below = made("RoleBinding", "new", giving("owner", `${root}/shop`));
    const found = reviewed([stays("Identity", "ci", identity("ci")), shop, binding, below]);
    expect(found.changes.map(({ severity, effect }) => [severity, effect])).toEqual([["high", "gain"]]);
    expect(found.warnings).toEqual([]);
  },
);

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
  expect([shop?.identity.uid, shop?.at.uid]).toEqual([undefined, undefined]);
  expect(changes.filter(({ effect }) => effect === "loss")).toEqual([]);
});

test("a group that moves is the same group; what it inherited is lost, and its replacement is announced", async () => {
  const found = review(await fixture("move"));
  expect(messages(found).filter(([severity]) => severity !== "info")).toEqual([
    ["low", "loss", expect.stringContaining("no longer editor of acme.example/engineering/new")],
    ["low", "loss", expect.stringContaining("no longer editor of acme.example/engineering/shop")],
  ]);
  expect(found.renames.map(({ how, after }) => [how, after])).toContainEqual(["moved", "acme.example/ops/shop"]);
  expect(found.warnings[0]?.message).toContain("is replaced, with the 2 objects");
});

describe("a GroupAccess", () => {
  type State = Record<"inputs" | "outputs", Record<string, unknown>>;
  /** The recorded preview, with the step of its `GroupAccess` changed. */
  const withAccess = async (change: (access: { op: string; urn: string; oldState: State; newState: State }) => void) => {
    const file = JSON.parse(await fixture("changes")) as { steps: Parameters<typeof change>[0][] };
    const access = file.steps.find(({ urn }) => urn.endsWith("GroupAccess::ops"));
    if (access === undefined) throw new Error("no GroupAccess");
    change(access);
    return { found: review(JSON.stringify(file)), urn: access.urn };
  };

  test("names the members that an update left behind half-way", async () => {
    const { found, urn } = await withAccess((access) => {
      Object.assign(access, { op: "same" });
      access.oldState.inputs = access.newState.inputs;
    });
    const message = expect.stringMatching(/still have access .*: ci \(viewer\)/) as string;
    expect(found.warnings).toEqual([{ urn, message }]);
    expect(messages(found).join()).not.toContain(opsViewers);
  });

  test("keeps the access of a member that moves from access to exempt", async () => {
    const { found } = await withAccess(({ oldState, newState }) => {
      const { ci } = (oldState.outputs["access"] as { viewer: { ci: string } }).viewer;
      newState.inputs["exempt"] = { identityUids: [ci] };
    });
    expect(messages(found).join()).not.toContain(opsViewers);
  });
});

test("an object that stays by retainOnDelete keeps giving access", async () => {
  const text = (await fixture("changes")).replace(/("op": "delete",[\s\S]*?"oldState": \{)/, '$1 "retainOnDelete": true,');
  expect(warningsIn(review(text))).toEqual([expect.stringContaining("stays on the platform")]);
});

test("an unknown role counts as if it allowed much", async () => {
  const [role, found] = ["f".repeat(40), review((await fixture("changes")).replaceAll(roleUid("owner"), "f".repeat(40)))];
  expect(reviewDocumentOf(found).changes[0]).toMatchObject({ severity: "critical", role: `role ${role}, unknown` });
  expect(found.unknown).toContainEqual(expect.objectContaining({ what: `role ${role}` }));
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

test.each([
  [[], { isOurs: true, isWhole: false }],
  [["pulumi:pulumi:Stack"], { isOurs: true }],
  [["aws:s3/bucket:Bucket"], { isOurs: false }],
])("a preview without any change differs from one without the platform: of %j", (types, expected) => {
  const steps = types.map((type) => ({ op: "same", urn: `urn:pulumi:a::b::${type}::c`, oldState: { urn: "", type } }));
  expect(readPreviewFile(JSON.stringify({ steps }), "the file")).toMatchObject(expected);
});

describe("the command", () => {
  const folder = scratchFolder();
  const written = async (name: string, document: object) => {
    const file = path.join(folder, name);
    await writeFile(file, JSON.stringify(document));
    return file;
  };
  const command = (args: string[], environment = {}) => run(["review", ...args], environment);

  test.each([
    ["changes", ["--fail-on", "high"], 7],
    ["move", ["--fail-on", "medium"], 0],
    ["move", ["--fail-on", "any"], 7],
    ["move", [], 0],
    ["move", ["--fail-on", "hgh"], 2],
    ["move", ["--refresh"], 2],
    ["none", [], 1],
  ])(
    "--file %s with %j ends with %d: 7 on a change of that severity or worse, 2 and 1 on what is wrong",
    async (file, args, code) => {
      expectEnd(await command(["--file", at(file), ...args]), code);
    },
  );

  test("a gate lets nothing pass that the preview hides", async () => {
    const [was, is] = [{}, "[secret]"].map((access) => ({ parentUid: root, access }));
    const steps = [step("GroupAccess", "c", was, is ?? {})];
    expect(undecidedIn(reviewed(steps))).toEqual([expect.stringContaining("the access of")]);
    expectEnd(await reviewSteps(steps, ["--fail-on", "critical"]), 8, {
      stdout: "the access of",
      stderr: ["--fail-on critical", "- the access of"],
    });
    expectEnd(await reviewSteps(steps), 0);
  });

  test("a gate lets nothing pass where what does not change is not shown, unless nothing changes", async () => {
    const changeSummary = { same: 99 };
    const file = await written("without-sames.json", { ...(JSON.parse(await fixture("move")) as object), changeSummary });
    expectEnd(await command(["--file", file, "--fail-on", "medium"]), 8, { stderr: /^- unchanged resources: .*--show-sames/m });
    expectEnd(await command(["--file", file]), 0);
    const unchanged = await written("unchanged.json", { steps: [], changeSummary });
    expectEnd(await command(["--file", unchanged, "--fail-on", "any"]), 0, { stdout: /^No access changes\.\n$/ });
  });

  test("a gate lets nothing pass where the platform should be asked and does not answer, unless the review is --offline", async () => {
    const settings = { PLATFORM_BASE_URL: "http://127.0.0.1:9", PLATFORM_ORGANIZATION: root };
    const args = ["--file", at("move"), "--fail-on", "medium"];
    expectEnd(await command(args, settings), 8, { stderr: "- the platform: " });
    expectEnd(await command([...args, "--offline"], settings), 0);
  });

  test("a preview that failed exits with 1 and says why, with its JSON document", async () => {
    const ended = await command(["--file", at("failed"), "--json", "--fail-on", "any"]);
    const { stdout } = expectEnd(ended, 1, { stderr: "The preview failed" });
    expect(ended.stderr).not.toContain("Correct the program");
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      bounds: "lower",
      errors: [expect.stringContaining("A/B"), expect.anything()],
    });
  });

  test("a preview that the CLI ends with an error is incomplete, also where its document does not say why", async () => {
    const PATH = pulumiIn(folder, `cat "${at("move")}"; echo "error: a policy was violated" >&2; exit 255`);
    const ended = await command(["--fail-on", "critical"], { PATH });
    expectEnd(ended, 1, { stderr: /`pulumi preview` .* 255\. a policy was violated/ });
  });

  test("the preview of another program is refused", async () => {
    const create = { op: "create", urn: "urn:pulumi:a::b::aws:x:Y::z", newState: { urn: "", type: "aws:x:Y" } };
    const file = await written("other.json", { steps: [create] });
    expectEnd(await command(["--file", file]), 1, { stderr: "preview of another program" });
  });
});
