import { mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { update } from "../../provider/resources/object/update";
import { FakeClock } from "../support/fake-clock";
import { json } from "../support/fault-proxy";
import { notesIn } from "../support/notes";
import { declare, expectFailure, failureOf, identity, identityProvider, ResourceFixture } from "../support/resource-fixture";
import { role, type RunOptions } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** An object as an earlier run has made it, with its state. */
async function earlier(kind: Kind, more: Inputs = {}) {
  const inputs = { ...(await fixture.inputs(kind, await fixture.place(kind))), ...more };
  const { id, outs } = await declare(kind, inputs, fixture.run());
  return { id, state: outs, inputs };
}

/** The next run, which does not sit out its waits. */
function nextRun(options: RunOptions) {
  const timing = { firstDelayMs: 500, longestDelayMs: 5_000, propagationMs: 30_000 };
  return fixture.run({ clock: new FakeClock(), timing, ...options });
}

const stored = async (kind: Kind, uid: string) =>
  (await fixture.platform.objects(kind.collection.segment)).find((row) => row.uid === uid) ?? { uid, name: "" };

const evil = { issuer: "https://evil.example", subjectPattern: ".*", subject: null };

describe("after an update without an answer", () => {
  let folder: string;
  const notes = (stack = "one") => ({ notes: notesIn(folder, { stack, closesWithEngine: false }) });
  const [first, second, third] = ["first", "second", "third"].map((subject) => ({ issuer: "https://issuer.example", subject }));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "notes-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** An object whose update from `first` to `second` was applied, while the run was killed. */
  async function killed(applied = true) {
    const made = await earlier(identity, { claimMatch: first });
    const run = fixture.run({ ...notes(), timing: { budgetMs: 200, attemptMs: 100 } });
    fixture.proxy.interfere = async ({ method }, forward) => {
      if (method !== "PATCH") return undefined;
      if (applied) await forward();
      return "reset";
    };
    await failureOf(
      update({ kind: identity, uid: made.id, olds: made.state, news: { ...made.inputs, claimMatch: second } }, run),
    );
    fixture.proxy.interfere = () => undefined;
    return made;
  }

  test("what it has sent is nobody else's, on the same machine", async () => {
    const { id, state, inputs } = await killed();
    expect((await stored(identity, id))["claimMatch"]).toMatchObject(second ?? {});
    const run = nextRun(notes());
    expect(await update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, run)).toMatchObject({
      claimMatch: third,
    });
    expect(run.ledger.notes.sentWith(JSON.stringify(["update", "identities", id])).size).toBe(0);
  });

  test("nor what several have sent, of which any may have been applied", async () => {
    const { id, state, inputs } = await killed();
    fixture.proxy.interfere = ({ method }) => (method === "PATCH" ? "reset" : undefined);
    const run = fixture.run({ ...notes(), timing: { budgetMs: 200, attemptMs: 100 } });
    await failureOf(update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, run));
    fixture.proxy.interfere = () => undefined;
    const claimMatch = { issuer: "https://issuer.example", subject: "fourth" };
    expect(
      await update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch } }, nextRun(notes())),
    ).toMatchObject({ claimMatch });
  });

  test.each([
    ["another stack", () => notes("two")],
    ["a machine without its notes", () => ({})],
  ])("it is somebody else's for %s", async (_what, options) => {
    const { id, state, inputs } = await killed();
    await expectFailure(
      update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, nextRun(options())),
      "CHANGED_MEANWHILE",
    );
  });

  test("another value is somebody else's all the same", async () => {
    const { id, state, inputs } = await killed();
    await fixture.platform.change("identities", id, { claimMatch: evil });
    await expectFailure(
      update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, nextRun(notes())),
      "CHANGED_MEANWHILE",
    );
  });

  test("what the platform rejected is somebody else's; what an earlier one sent is not", async () => {
    const { id, state, inputs } = await killed();
    fixture.proxy.interfere = ({ method }) =>
      method === "PATCH" ? json(403, { code: 7, message: "not allowed", details: [] }) : undefined;
    await failureOf(update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, nextRun(notes())));
    fixture.proxy.interfere = () => undefined;
    const rename = () => update({ kind: identity, uid: id, olds: state, news: { ...inputs, name: "new" } }, nextRun(notes()));
    await fixture.platform.change("identities", id, { claimMatch: third });
    await expectFailure(rename(), "CHANGED_MEANWHILE");
    await fixture.platform.change("identities", id, { claimMatch: second });
    expect(await rename()).toMatchObject({ name: "new" });
  });

  describe("that was answered before the engine saved its state", () => {
    const host = () => ({ notes: notesIn(folder) });

    test("what it has sent is nobody else's, until the engine exits normally", async () => {
      const { id, state, inputs } = await earlier(identity, { claimMatch: first });
      await update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: second } }, nextRun(host()));
      const run = nextRun(host());
      expect(await update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, run)).toMatchObject({
        claimMatch: third,
      });
      run.ledger.notes.close();
      const again = update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: second } }, nextRun(host()));
      await expectFailure(again, "CHANGED_MEANWHILE");
    });

    test("it is forgotten once an update finds it in the state", async () => {
      const { id, state, inputs } = await earlier(identity, { claimMatch: first });
      const saved = await update(
        { kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: second } },
        nextRun(host()),
      );
      const again = await update(
        { kind: identity, uid: id, olds: saved, news: { ...inputs, claimMatch: third } },
        nextRun(host()),
      );
      await fixture.platform.change("identities", id, { claimMatch: second });
      await expectFailure(
        update({ kind: identity, uid: id, olds: again, news: { ...inputs, claimMatch: first } }, nextRun(host())),
        "CHANGED_MEANWHILE",
      );
    });

    test("it proves nothing after a day", async () => {
      const { id, state, inputs } = await earlier(identity, { claimMatch: first });
      await update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: second } }, nextRun(host()));
      const longAgo = new Date(Date.now() - 2 * 86_400_000);
      for (const name of await readdir(folder)) await utimes(path.join(folder, name), longAgo, longAgo);
      await expectFailure(
        update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch: third } }, nextRun(host())),
        "CHANGED_MEANWHILE",
      );
    });
  });

  test("the note holds digests, and no secret in any form", async () => {
    const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "hush" };
    const { id, state, inputs } = await earlier(identityProvider, { oidc });
    let text = "";
    fixture.proxy.interfere = async ({ method }) => {
      const [name = ""] = await readdir(folder);
      if (method === "PATCH") text = (await readFile(path.join(folder, name), "utf8")).trimEnd().split("\n").at(-1) ?? "";
      return undefined;
    };
    const written = async (clientSecret: string) => {
      const news = { ...inputs, name: "new", oidc: { ...oidc, issuer: "https://other.example", clientSecret } };
      await update({ kind: identityProvider, uid: id, olds: state, news }, nextRun(notes()));
      return text;
    };
    const one = await written("hush");
    expect(one).not.toMatch(/other\.example|platform|new/);
    await fixture.platform.change("identityProviders", id, { name: inputs["name"], oidc });
    expect(await written("another")).toBe(one);
  });

  test("what the platform has made of it is not somebody else's", async () => {
    const { id, state, inputs } = await earlier(role);
    const misspelt = [...(inputs["capabilities"] as string[]), "CAP_REPO_CREATE", "CAP_REPO_DELETEE"];
    await expectFailure(
      update({ kind: role, uid: id, olds: state, news: { ...inputs, capabilities: misspelt } }, nextRun(notes())),
      "WRONG_OBJECT",
      "Correct the spelling",
    );
    const corrected = misspelt.map((capability) => capability.replace("EE", "E"));
    expect(
      await update({ kind: role, uid: id, olds: state, news: { ...inputs, capabilities: corrected } }, nextRun(notes())),
    ).toMatchObject({
      capabilities: corrected.sort(),
    });
  });
});
