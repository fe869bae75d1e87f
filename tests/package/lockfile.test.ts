import { readFileSync } from "node:fs";
import path from "node:path";

interface Locked {
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  link?: boolean;
  dev?: boolean;
  peer?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

const packagesOf = (file: string) => {
  const lock = JSON.parse(readFileSync(path.resolve(__dirname, "../..", file), "utf8")) as { packages: Record<string, Locked> };
  return lock.packages;
};
const locked = packagesOf("package-lock.json");
const installedOf = (packages: Record<string, Locked>) =>
  Object.entries(packages).filter(([place, { link }]) => place.includes("node_modules/") && !link);

const lockfiles = ["package-lock.json", "site/package-lock.json"];

test.each([...lockfiles, "scripts/release/tools/package-lock.json"])(
  "every package of %s is held to the hash of its content",
  (file) => {
    const unproven = installedOf(packagesOf(file))
      .filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))
      .map(([place]) => place);
    expect(unproven).toEqual([]);
  },
);

test.each(lockfiles)(
  "every optional package is in %s, also those for other machines: npm ci rejects one that lacks any",
  (file) => {
    const packages = packagesOf(file);
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => placeOf(name, place, packages) === undefined),
    );
    expect(missing).toEqual([]);
  },
);

test("besides what the SDK of Pulumi brings, a user of the package gets these six dependencies and nothing below them", () => {
  const delivered = installedOf(locked).filter(
    ([, { dev, peer, optional, devOptional }]) => !dev && !peer && !optional && !devOptional,
  );
  const ofSdk = reachable("@pulumi/pulumi");
  expect(delivered.map(([place]) => place).filter((place) => !ofSdk.has(place))).toEqual(
    ["commander", "jose", "re2js", "undici", "yaml", "zod"].map((name) => `node_modules/${name}`),
  );
});

/** The places of everything below the package `name`. */
function reachable(name: string, from = "", found = new Set<string>()): Set<string> {
  const place = placeOf(name, from);
  if (place === undefined || found.has(place)) return found;
  found.add(place);
  for (const inner of Object.keys(locked[place]?.dependencies ?? {})) reachable(inner, place, found);
  return found;
}

/** Where a package at `from` finds the package `name`. */
function placeOf(name: string, from: string, packages = locked): string | undefined {
  const folders = from.split("/node_modules/").map((_, index, all) => all.slice(0, all.length - index).join("/node_modules/"));
  return [...folders.filter(Boolean).map((folder) => `${folder}/`), ""]
    .map((folder) => `${folder}node_modules/${name}`)
    .find((candidate) => candidate in packages);
}
