import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import Ajv from "ajv";
import { convertAll } from "../../cli/from-terraform/conversion";
import { logicalNames } from "../../cli/from-terraform/import-file";
import { terraformProgram } from "../../cli/from-terraform/program";
import { readState } from "../../cli/from-terraform/state";
import { plainArgs } from "../../cli/export/resource-state";
import { documentSchemas } from "../../cli/documents";
import { checkAlone } from "../../provider/resources/object/check";
import { expectEnd, run } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";

const recorded = path.resolve(__dirname, "../support/terraform/organization.tfstate");
const state = readFileSync(recorded, "utf8");
const result = convertAll(readState(state, "The state"), "platform");

test("each object of a recorded state is declared once, under the name and with the inputs of the file for pulumi import", () => {
  const { resources } = terraformProgram(result.converted);
  const names = logicalNames(result.converted);
  expect(resources).toHaveLength(result.converted.length);
  result.converted.forEach(({ kind, id, inputs }, index) => {
    const found = resources.find(({ object, kind: each }) => each === kind && object.uid === id);
    expect(found?.logicalName).toBe(names[index]);
    if (found === undefined) return;
    // After the import, as in a preview: a secret that is not set keeps its value.
    const { inputs: declared, failures } = checkAlone(kind, inputs, plainArgs(found));
    expect({ name: names[index], failures, declared: JSON.parse(JSON.stringify(declared)) as object }).toEqual({
      name: names[index],
      failures: [],
      declared: inputs,
    });
  });
});

test("a parent precedes its contents, and a reference in the state is a variable", async () => {
  const folder = path.join(scratchFolder(), "acme");
  expectEnd(await run(["from-terraform", "--state", recorded, "--program", folder]), 0, {
    stderr: [`Next, in ${folder}:`, "import.json"],
  });
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const text = (await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")))).join("\n");
  expect(text).toMatch(
    /new RoleBinding\("ci_puller", \{\s+parentUid: engineering\.uid,\s+identityUid: \w+\.uid,\s+roleUid: \w+\.uid,?\s+\}/,
  );
  expect(text).toContain("config.getSecret(");
  const secrets = [...state.matchAll(/"(?:client_secret|code)": "([^"]+)"/g)].map(([, value = ""]) => value);
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(text).not.toContain(secret);
  const readme = await readFile(path.join(folder, "README.md"), "utf8");
  expect(readme).toContain("pulumi import --file import.json");
  expect(readme).toContain("image_repo_deployment");
});

test("--json prints the conversion as a document that fits its schema", async () => {
  const folder = path.join(scratchFolder(), "acme");
  const ended = expectEnd(await run(["from-terraform", "--state", recorded, "--program", folder, "--json"]), 0, {
    stdout: "version",
    stderr: [],
  });
  const document = JSON.parse(ended.stdout) as { file: string; converted: object[]; unconverted: object[]; program: object };
  expect(new Ajv().validate(documentSchemas()["from-terraform"] as object, document)).toBe(true);
  expect(document).toMatchObject({ file: path.join(folder, "import.json"), provider: "platform", program: { folder } });
  expect(document.converted).toHaveLength(result.converted.length);
  expect(document.unconverted).toHaveLength(result.unconverted.length);
});

test.each([
  [["--json"], "pass --program DIR or --output FILE"],
  [["--program", "acme", "--output", "import.json"], "Pass --program or --output"],
])("%j is a wrong command line", async (args, part) => {
  expectEnd(await run(["from-terraform", "--state", recorded, ...args]), 2, { stderr: part });
});

test("a program is written into an empty folder only", async () => {
  const folder = path.dirname(recorded);
  expectEnd(await run(["from-terraform", "--state", recorded, "--program", folder]), 1, { stderr: "it is not empty" });
});
