import { z } from "zod";
import { document } from "./document";

const address = z.string().describe("Its address in Terraform: module.team.platform_group.this.");

/** The output of `pulumi-platform from-terraform --json`. */
export const fromTerraformDocument = document(
  "from-terraform",
  "The conversion of a Terraform state: pulumi-platform from-terraform --json.",
  {
    file: z.string().describe("The file for pulumi import."),
    program: z
      .object({ folder: z.string(), files: z.array(z.string()).describe("Paths in the folder.") })
      .optional()
      .describe("With --program."),
    provider: z.string().describe("Prefix of the types of the platform's provider in the state."),
    converted: z.array(
      z.object({
        address,
        kind: z.string().describe("Published name of its kind: iam:RoleBinding."),
        name: z.string().describe("Logical name of its resource."),
        uid: z.string(),
        notes: z.array(z.string()).describe("Omitted attributes, and arguments that a program must declare besides."),
      }),
    ),
    unconverted: z.array(z.object({ address, reason: z.string() })).describe("Objects that stay with Terraform."),
    partial: z
      .array(z.string())
      .describe("Blocks without a `removed` block, since it would also forget an object that is not converted."),
  },
);

/** A document of {@link fromTerraformDocument}. */
export type FromTerraformDocument = z.infer<typeof fromTerraformDocument>;
