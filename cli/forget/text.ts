import { printable } from "../../provider/client/printable";
import type { Forgotten } from "./forget";

/** The evidence for each object, one on each line, and the removed resources. */
export function drawForgotten({ resources, removed, stack }: Forgotten): string {
  const lines = resources.flatMap(({ urn, objects }) => [
    urn,
    ...(objects.length === 0 ? ["  manages no object of the platform, so it cannot be examined"] : []),
    ...objects.flatMap(({ kind, uid, isGone, signs }) => [
      `  ${kind} ${uid}: ${isGone ? "gone by every sign" : "not proven gone"}`,
      ...signs.map(({ agrees, text }) => `    ${agrees ? "yes" : "no "}  ${text}`),
    ]),
  ]);
  const done = removed.map((urn) => `Removed from the state of stack ${stack}: ${urn}`);
  return printable([`Stack ${stack}`, ...lines, ...done].join("\n") + "\n");
}
