import { type PlatformErrorCode, platformErrorCodes, PlatformError, withCode, withContext } from "../../provider/client/errors";
import { dynamicProvider } from "../../provider/host/dynamic";
import { failureFor } from "../../provider/host/failure";
import { Plugin } from "../../provider/host/plugin/plugin";
import { kinds } from "../../provider/kinds/kinds";
import { CreatedButFailed } from "../../provider/resources/creating/created-but-failed";
import { anchors } from "../docs/markdown";
import { clientOf } from "../support/native-host";
import { runOf as openRunOf } from "../support/run";
import { clientOf as platformOf } from "../client/support";

/** The error of every call that needs the platform. */
let thrown: unknown;
const throwing = (): never => {
  throw thrown;
};

const dynamic = dynamicProvider(kinds.group, throwing);
const plugin = clientOf(new Plugin([], throwing));
beforeAll(() => plugin.configure({ baseUrl: "https://platform.example", tokenCommand: "printenv TOKEN" }));

const [type, id, group] = ["platform:iam:Group", "a/b", { parentUid: "a", name: "team", description: "" }];

/** The text of a failure, as the engine gets it. */
async function textOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    (answer) => (answer as { failures?: { reason: string }[] }).failures?.map(({ reason }) => reason).join() ?? "it did not fail",
    (error: unknown) => (error as { details?: string }).details ?? (error as Error).message,
  );
}

/** The messages of each call, through both hosts. */
async function allTexts(): Promise<string[]> {
  const calls = [
    dynamic.check({}, group),
    dynamic.diff(id, group, group),
    dynamic.create(group),
    dynamic.read(id, group),
    dynamic.read(id, {}),
    dynamic.update(id, group, group),
    dynamic.delete(id, group),
    plugin.check(type, "team", group).then(({ failures }) => ({ failures: failures.map(([, reason]) => ({ reason })) })),
    plugin.diff(type, id, group, group),
    plugin.create(type, group),
    plugin.read(type, id, group),
    plugin.read(type, id, {}),
    plugin.update(type, id, group, group),
    plugin.delete(type, id, group),
    plugin.invoke("platform:iam:getGroup", { uid: id }),
  ];
  return Promise.all(calls.map(textOf));
}

const firstLine = (text: string) => text.split("\n")[0] ?? "";

describe.each<PlatformErrorCode>([...platformErrorCodes])("%s", (code) => {
  test("ends the first line of every error, through both hosts, once", async () => {
    thrown = withContext("read group team", new PlatformError(code, `GET /groups: ${code}: no.\nMore about it: ${code}.`));
    for (const text of await allTexts()) {
      expect(firstLine(text)).toMatch(new RegExp(`read group team: GET /groups: no\\. \\[${code}\\]$`));
      expect(text.split("\n")).toHaveLength(2);
    }
  });

  test("has its anchor in docs/errors.md", () => {
    expect(anchors("docs/errors.md")).toContain(code.toLowerCase());
  });
});

test("an error that is not the package's ends with UNKNOWN", async () => {
  thrown = new TypeError("broken");
  for (const text of await allTexts()) expect(text).toMatch(/broken \[UNKNOWN\]$/);
});

test("a code in brackets that the platform writes stays in the line, and the error's own code ends it", async () => {
  thrown = new PlatformError("NOT_FOUND", "GET /groups: NOT_FOUND: gone [PROTECTED]");
  for (const text of await allTexts()) expect(text).toMatch(/gone \[PROTECTED\] \[NOT_FOUND\]$/);
});

test("the code of a cause stays in the text", () => {
  expect(withCode("NOT_GONE", "was not deleted (GET /groups: NOT_FOUND: no).")).toBe(
    "was not deleted (GET /groups: NOT_FOUND: no). [NOT_GONE]",
  );
});

test("the message of an error has no code: it becomes a part of others", () => {
  expect(withContext("read", new PlatformError("NOT_GONE", "hidden")).message).toBe("read: hidden");
});

test("of an object that was created although its create failed, the reasons have it", () => {
  expect(failureFor(new CreatedButFailed("a/b", {}, "made, but wrong.\nMore."))).toMatchObject({
    reasons: ["made, but wrong. [WRONG_OBJECT]\nMore."],
  });
});

test("the plugin says UNIMPLEMENTED of what it does not have", async () => {
  expect(await textOf(plugin.create("platform:iam:NoSuch", {}))).toMatch(/\[UNIMPLEMENTED\]$/);
  expect(await textOf(plugin.invoke("platform:iam:noSuch", {}))).toMatch(/\[UNIMPLEMENTED\]$/);
});

test("an invalid argument of a function has its code", async () => {
  expect(await textOf(plugin.invoke("platform:iam:getGroup", { noSuch: 1 }))).toMatch(/\[INVALID_INPUT\]$/);
});

describe("each failure of a check", () => {
  const run = openRunOf(platformOf("http://127.0.0.1:1"));
  const checked = dynamicProvider(kinds.group, () => run);
  const reasonsOf = async (news: Record<string, unknown>) => (await checked.check({}, news)).failures.map(({ reason }) => reason);

  test("of an invalid input has INVALID_INPUT", async () => {
    const reasons = await reasonsOf({ parentUid: "", name: "a\nb", nme: 1 });
    expect(reasons).toHaveLength(3);
    for (const reason of reasons) expect(firstLine(reason)).toMatch(/\[INVALID_INPUT\]$/);
  });

  test("of a second resource with the same key has KEY_TAKEN", async () => {
    const declared = (__logicalName: string) => ({ parentUid: "a", name: "team", __logicalName });
    expect(await reasonsOf(declared("platform:iam:Group::one"))).toEqual([]);
    expect(await reasonsOf(declared("platform:iam:Group::two"))).toEqual([expect.stringMatching(/\[KEY_TAKEN\]$/)]);
  });

  test("of the provider's own settings has CONFIGURATION", async () => {
    const reasons = await plugin.checkConfig({ baseUrl: "http://platform.example", token: "x", noSuch: "y" });
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(firstLine(reason)).toMatch(/\[CONFIGURATION\]$/);
  });
});
