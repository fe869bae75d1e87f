import { readdir, readFile, utimes } from "node:fs/promises";
import path from "node:path";
import { Journal } from "../../provider/resources/ledger/journal";
import { FakeClock } from "../support/fake-clock";
import { json } from "../support/fault-proxy";
import { notesIn } from "../support/notes";
import { expectFailure, failureOf, identity, identityProvider, ResourceFixture } from "../support/resource-fixture";
import { role, type RunOptions } from "../support/resource-fixture";
import { scratchFolder } from "../support/scratch-folder";

const fixture = ResourceFixture.forFile();

/** The next run, which does not sit out its waits. */
function nextRun(options: RunOptions) {
  const timing = { firstDelayMs: 500, longestDelayMs: 5_000, propagationMs: 30_000 };
  return fixture.run({ clock: new FakeClock(), timing, ...options });
}

const evil = { issuer: "https://evil.example", subjectPattern: ".*", subject: null };

describe("after an update without an answer", () => {
  let folder: string;
  const notes = (stack = "one") => ({ notes: notesIn(folder, { stack, closesWithEngine: false }) });
  const [first, second, third] = ["first", "second", "third"].map((subject) => ({ issuer: "https://issuer.example", subject }));

  beforeEach(() => {
    folder = scratchFolder();
  });

  /** An object whose update from `first` to `second` was applied, while the run was killed. */
  async function killed(applied = true) {
    const made = await fixture.made(identity, { claimMatch: first });
    const run = fixture.run({ ...notes(), timing: { budgetMs: 200, attemptMs: 100 } });
    fixture.proxy.interfere = async ({ method }, forward) => {
      if (method !== "PATCH") return undefined;
      if (applied) await forward();
      return "reset";
    };
    await failureOf(made.update({ claimMatch: second }, run));
    fixture.proxy.interfere = () => undefined;
    return made;
  }

  test("what it has sent is nobody else's, on the same machine", async () => {
    const made = await killed();
    expect((await made.stored())?.["claimMatch"]).toMatchObject(second ?? {});
    const run = nextRun(notes());
    expect(await made.update({ claimMatch: third }, run)).toMatchObject({ claimMatch: third });
    expect(run.ledger.notes.valuesOf(JSON.stringify(["update", "identities", made.uid]))).toEqual([]);
  });

  test("nor what several have sent, of which any may have been applied", async () => {
    const made = await killed();
    fixture.proxy.interfere = ({ method }) => (method === "PATCH" ? "reset" : undefined);
    const run = fixture.run({ ...notes(), timing: { budgetMs: 200, attemptMs: 100 } });
    await failureOf(made.update({ claimMatch: third }, run));
    fixture.proxy.interfere = () => undefined;
    const claimMatch = { issuer: "https://issuer.example", subject: "fourth" };
    expect(await made.update({ claimMatch }, nextRun(notes()))).toMatchObject({ claimMatch });
  });

  test.each([
    ["another stack", () => notes("two")],
    ["a machine without its notes", () => ({})],
  ])("it is somebody else's for %s", async (_what, options) => {
    const made = await killed();
    await expectFailure(made.update({ claimMatch: third }, nextRun(options())), "CHANGED_MEANWHILE");
  });

  test("another value is somebody else's all the same", async () => {
    const made = await killed();
    await made.byHand({ claimMatch: evil });
    await expectFailure(made.update({ claimMatch: third }, nextRun(notes())), "CHANGED_MEANWHILE");
  });

  test("what the platform rejected is somebody else's; what an earlier one sent is not", async () => {
    const made = await killed();
    fixture.proxy.interfere = ({ method }) =>
      method === "PATCH" ? json(403, { code: 7, message: "not allowed", details: [] }) : undefined;
    await failureOf(made.update({ claimMatch: third }, nextRun(notes())));
    fixture.proxy.interfere = () => undefined;
    const rename = () => made.update({ name: "new" }, nextRun(notes()));
    await made.byHand({ claimMatch: third });
    await expectFailure(rename(), "CHANGED_MEANWHILE");
    await made.byHand({ claimMatch: second });
    expect(await rename()).toMatchObject({ name: "new" });
  });

  describe("that was answered before the engine saved its state", () => {
    const host = () => ({ notes: notesIn(folder) });

    test("what it has sent is nobody else's, until the engine exits normally", async () => {
      const made = await fixture.made(identity, { claimMatch: first });
      await made.update({ claimMatch: second }, nextRun(host()));
      const run = nextRun(host());
      expect(await made.update({ claimMatch: third }, run)).toMatchObject({ claimMatch: third });
      run.ledger.notes.close();
      await expectFailure(made.update({ claimMatch: second }, nextRun(host())), "CHANGED_MEANWHILE");
    });

    test("it is forgotten once an update finds it in the state", async () => {
      const made = await fixture.made(identity, { claimMatch: first });
      const saved = await made.updated({ claimMatch: second }, nextRun(host()));
      const again = await saved.updated({ claimMatch: third }, nextRun(host()));
      await made.byHand({ claimMatch: second });
      await expectFailure(again.update({ claimMatch: first }, nextRun(host())), "CHANGED_MEANWHILE");
    });

    test("it proves nothing after a day", async () => {
      const made = await fixture.made(identity, { claimMatch: first });
      await made.update({ claimMatch: second }, nextRun(host()));
      const longAgo = new Date(Date.now() - 2 * 86_400_000);
      for (const name of await readdir(folder)) await utimes(path.join(folder, name), longAgo, longAgo);
      await expectFailure(made.update({ claimMatch: third }, nextRun(host())), "CHANGED_MEANWHILE");
    });
  });

  test("the note holds digests, and no secret in any form", async () => {
    const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "hush" };
    const made = await fixture.made(identityProvider, { oidc });
    let text = "";
    let values: unknown;
    fixture.proxy.interfere = async ({ method }) => {
      if (method !== "PATCH") return undefined;
      text = (await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")))).join("");
      values = new Journal({ folder }).notes().map(({ note }) => note.values);
      return undefined;
    };
    const written = async (clientSecret: string) => {
      await made.update({ name: "new", oidc: { ...oidc, issuer: "https://other.example", clientSecret } }, nextRun(notes()));
      return values;
    };
    const one = await written("hush");
    expect(text).not.toMatch(/other\.example|platform|new|hush/);
    await made.byHand({ name: made.inputs["name"], oidc });
    expect(await written("another")).toEqual(one);
  });

  test("what the platform has made of it is not somebody else's", async () => {
    const made = await fixture.made(role);
    const misspelt = [...(made.inputs["capabilities"] as string[]), "CAP_REPO_CREATE", "CAP_REPO_DELETEE"];
    await expectFailure(made.update({ capabilities: misspelt }, nextRun(notes())), "WRONG_OBJECT", "Correct the spelling");
    const corrected = misspelt.map((capability) => capability.replace("EE", "E"));
    expect(await made.update({ capabilities: corrected }, nextRun(notes()))).toMatchObject({
      capabilities: corrected.sort(),
    });
  });
});
