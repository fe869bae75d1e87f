import { realpath } from "node:fs/promises";
import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { options } from "../../provider/client/printable";
import { onPath } from "../shell/on-path";
import type { Language } from "./languages";

const cli = "the Pulumi CLI from https://www.pulumi.com/docs/install";

/** @throws PlatformError with the name of each tool of the language that this machine lacks */
export async function requireTools({ title, runtime, tools }: Language): Promise<void> {
  const engine = await onPath("pulumi");
  const besides = engine === undefined ? [] : [path.dirname(await realpath(engine))];
  const host = `pulumi-language-${typeof runtime === "string" ? runtime : (runtime as { name: string }).name}`;
  const missing = [
    ...(engine === undefined ? [`pulumi: ${cli}`] : []),
    ...(engine !== undefined && (await onPath(host, besides)) === undefined ? [`${host}: a full installation of ${cli}`] : []),
  ];
  for (const [program, from] of [["npm", "Node.js from https://nodejs.org"] as const, ...tools])
    if ((await onPath(program)) === undefined) missing.push(`${program}: ${from}`);
  if (missing.length === 0) return;
  throw new PlatformError(
    "CONFIGURATION",
    `A program in ${title} needs tools that are not on PATH. Nothing was written.${options(missing.map((each) => `Install ${each}.`))}`,
  );
}
