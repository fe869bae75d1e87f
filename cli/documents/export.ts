import { z } from "zod";
import { document } from "./document";

const counted = z.record(z.string(), z.number().int()).describe("Number of objects, by kind: iam:RoleBinding.");

/** The output of `pulumi-platform export --json`. */
export const exportDocument = document("export", "The program that pulumi-platform export --json wrote.", {
  out: z.string().describe("Folder of the program."),
  format: z.enum(["typescript", "yaml"]),
  root: z.object({ uid: z.string(), path: z.string().optional() }).describe("The group that was exported."),
  files: z.array(z.string()).describe("Paths in the folder."),
  declared: counted,
  unmanaged: z
    .array(z.object({ kind: z.string(), uid: z.string(), path: z.string().optional(), reason: z.string() }))
    .describe("Existing objects that the program does not declare, and why."),
  secrets: z.array(z.string()).describe("Configuration keys of secrets that the platform does not return."),
  imported: z
    .object({ stack: z.string(), agrees: z.boolean().describe("Whether the preview after the import shows no changes.") })
    .optional()
    .describe("With --import."),
  requests: z.number().int().describe("Number of requests for reading."),
});

/** A document of {@link exportDocument}. */
export type ExportDocument = z.infer<typeof exportDocument>;
