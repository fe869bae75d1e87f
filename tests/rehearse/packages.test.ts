import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { otherPackages } from "../../rehearse/packages";
import { scratchFolder } from "../support/scratch-folder";

const folder = scratchFolder();
const nothing = { resources: [], project: [], folder, home: path.join(folder, "home"), search: "" };

/** Writes a file below the folder. */
function write(file: string, text = ""): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

test("every package that the engine could find a plugin for gets the stand-in, but for those that the host serves", () => {
  expect(otherPackages(nothing)).toEqual(["pulumi-python"]);
  write("node_modules/@acme/sdk/package.json", '{ "name": "@acme/sdk", "pulumi": { "resource": true, "name": "of-node" } }');
  write("home/plugins/resource-of-home-v1.2.3/PulumiPlugin.yaml");
  write("bin/pulumi-resource-of-path");
  write("bin/pulumi-resource-platform");
  const resources = [
    { urn: "urn:pulumi:a::b::of-state:index:Thing::x", type: "of-state:index:Thing" },
    { urn: "urn:pulumi:a::b::pulumi:providers:of-provider::x", type: "pulumi:providers:of-provider" },
  ];
  const project = ["of-project", "platform"];
  expect(otherPackages({ ...nothing, resources, project, search: path.join(folder, "bin") })).toEqual([
    "of-home",
    "of-node",
    "of-path",
    "of-project",
    "of-provider",
    "of-state",
    "pulumi-python",
  ]);
});
