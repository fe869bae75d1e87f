import path from "node:path";
import type { ExportDocument } from "../documents/export";
import type { Program } from "./program";
import { countsOf } from "./readme";

/** The written program in the form of the document. */
export type Written = Omit<ExportDocument, "version">;

/** The result of an export as a document, without its version. */
export function documentOf(
  { resources, unmanaged, secrets }: Program,
  files: string[],
  about: Pick<Written, "out" | "format" | "root" | "requests">,
): Written {
  const declared: Record<string, number> = {};
  for (const { object } of resources) declared[object.kind] = (declared[object.kind] ?? 0) + 1;
  const left = unmanaged.map(({ object: { kind, uid, path: place }, reason }) => ({
    kind,
    uid,
    ...(place !== undefined && { path: place }),
    reason,
  }));
  return { ...about, files, declared, unmanaged: left, secrets: [...secrets] };
}

/** Maximum number of objects in the summary; the README names all. */
const mostNamed = 20;

/** The result of an export for people. */
export function summary(program: Program, { out, format, files, unmanaged, secrets, imported, requests }: Written): string {
  const named = unmanaged
    .slice(0, mostNamed)
    .map(({ kind, uid, path: place, reason }) => `  ${kind} ${place ?? ""} (${uid}): ${reason}.`);
  const more = unmanaged.length > mostNamed ? [`  and ${unmanaged.length - mostNamed} more: ${path.join(out, "README.md")}`] : [];
  const parts = [
    `Wrote ${out}: ${countsOf(program)}, in ${files.length} files. ${requests} requests.`,
    ...(unmanaged.length === 0 ? [] : [`Not in the program (${unmanaged.length}):`, ...named, ...more]),
    ...(secrets.length === 0
      ? []
      : format === "yaml"
        ? [`Secrets that the platform keeps (${secrets.length}): ${path.join(out, "README.md")} says how to set them.`]
        : [
            "Secrets that the platform keeps until you set them:",
            ...secrets.map((key) => `  pulumi config set --secret ${key}`),
          ]),
    imported === undefined
      ? `Next: ${path.join(out, "README.md")} says how to take the objects over, or run this with --import.`
      : imported.agrees
        ? `Stack ${imported.stack} has the objects. A preview with --refresh shows no changes. Nothing was written to the platform.`
        : `Stack ${imported.stack} has the objects, but a preview with --refresh shows changes. Nothing was written to the platform.`,
  ];
  return `${parts.join("\n")}\n`;
}
