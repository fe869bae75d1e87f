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

const lock = JSON.parse(readFileSync(path.resolve(__dirname, "../../package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
const installed = Object.entries(lock.packages).filter(([place, { link }]) => place.includes("node_modules/") && !link);

test("every package of the lockfile is held to the hash of its content", () => {
  const unproven = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([place]) => place);
  expect(unproven).toEqual([]);
});

test("every optional package is locked, also those for other machines: npm ci rejects a lockfile that lacks one", () => {
  const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => placeOf(name, place) === undefined),
  );
  expect(missing).toEqual([]);
});

test("besides what the SDK of Pulumi brings, a user of the package gets these six dependencies and nothing below them", () => {
  const delivered = installed.filter(([, { dev, peer, optional, devOptional }]) => !dev && !peer && !optional && !devOptional);
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
  for (const inner of Object.keys(lock.packages[place]?.dependencies ?? {})) reachable(inner, place, found);
  return found;
}

/** Where a package at `from` finds the package `name`. */
function placeOf(name: string, from: string): string | undefined {
  const folders = from.split("/node_modules/").map((_, index, all) => all.slice(0, all.length - index).join("/node_modules/"));
  return [...folders.filter(Boolean).map((folder) => `${folder}/`), ""]
    .map((folder) => `${folder}node_modules/${name}`)
    .find((candidate) => candidate in lock.packages);
}
