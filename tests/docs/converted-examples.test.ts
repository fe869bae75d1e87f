import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { convert } from "../../tools/generate/convert";
import type { Schema } from "../../tools/generate/schema-form";
import { scratchFolder } from "../support/scratch-folder";

const searched = process.env["PATH"] ?? "";
const folder = scratchFolder();
const schema = {} as Schema;

/** Go that notes the file of the programs, its last argument, and does `body`. */
function useGo(body: string): void {
  writeFileSync(path.join(folder, "go"), `#!/bin/sh\nshift 6\necho "$1" >> "${folder}/files"\n${body}\n`, { mode: 0o755 });
  process.env["PATH"] = `${folder}${path.delimiter}${searched}`;
}

afterAll(() => {
  process.env["PATH"] = searched;
});

test("each conversion of examples has files of its own: others in the checkout cannot give it their programs", () => {
  useGo('cat "$1"');
  for (const text of ["one", "other"]) expect(convert({ example: text }, schema)).toEqual({ example: text });
  const files = readFileSync(path.join(folder, "files"), "utf8").trim().split("\n");
  expect(new Set(files).size).toBe(2);
  expect(files.filter((file) => existsSync(file))).toEqual([]);
});

test("an example that the converters left out is an error that names it", () => {
  useGo('echo \'{ "one": { "python": "" } }\'');
  expect(() => convert({ one: "", "platform:iam:getRole": "" }, schema)).toThrow(
    "The converters wrote nothing for platform:iam:getRole.",
  );
});
