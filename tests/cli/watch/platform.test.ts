import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { TestPlatform } from "../../support/test-platform";
import { scratchFolder } from "../../support/scratch-folder";

const command = path.resolve(__dirname, "../../../dist/cli/main.js");

const platform = TestPlatform.forFile();

test("an owner that is added by hand is reported by its path, and reported as resolved when it is gone; SIGTERM ends the watch", async () => {
  const { uid: shop } = await platform.create("groups", platform.root, { name: "shop" });
  const inputs = { name: "shop", parentUid: platform.root };
  const type = "pulumi-nodejs:dynamic/platform/iam:Group";
  const resource = { urn: `urn:pulumi:prod::access::${type}::shop`, type, custom: true, id: shop, inputs, outputs: inputs };
  const state = path.join(scratchFolder(), "state.json");
  await writeFile(state, JSON.stringify({ version: 3, deployment: { resources: [resource] } }));
  const child = spawn(process.execPath, [command, "watch", "--state", state, "--root", shop, "--interval", "1", "--json"], {
    env: { ...process.env, ...platform.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => {
      const line = await lines.next();
      if (line.done === true) throw new Error("the watch ended");
      return JSON.parse(line.value) as { event: string; finding: { uid: string } };
    };
    const owner = await platform.role("owner");
    const { uid } = await platform.create("roleBindings", shop, { identityUid: platform.identity, roleUid: owner });
    expect(await next()).toMatchObject({
      event: "appeared",
      finding: { class: "unmanaged", kind: "iam:RoleBinding", uid, path: expect.stringMatching(/\/shop$/) as string },
    });
    await platform.delete("roleBindings", uid);
    expect(await next()).toMatchObject({ event: "resolved", finding: { uid } });
    const closed = once(child, "close");
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});
