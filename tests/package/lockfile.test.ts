import { readFileSync } from "node:fs";
import path from "node:path";

interface Locked {
  integrity?: string;
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

test("a user of the package gets these five dependencies and nothing below them", () => {
  const delivered = installed.filter(([, { dev, peer, optional, devOptional }]) => !dev && !peer && !optional && !devOptional);
  expect(delivered.map(([place]) => place)).toEqual(
    ["jose", "re2js", "undici", "yaml", "zod"].map((name) => `node_modules/${name}`),
  );
});
