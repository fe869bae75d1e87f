import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutPlatform } from "../../scripts/lib/emulator.mjs";
import { checkout } from "../../scripts/lib/paths.mjs";
import { buildWithGo, works } from "./go-program.mjs";
import { scratch } from "./scratch.mjs";
import { timed } from "./timed.mjs";

const sources = join(checkout, "bench", "terraform");
const providerFolder = join(scratch, "terraform-provider");
const provider = join(providerFolder, "terraform-provider-restapi");
const module = "github.com/Mastercard/terraform-provider-restapi";

const apply = ["apply", "-auto-approve"];
const commands = {
  up: apply,
  "up again": apply,
  preview: ["plan"],
  refresh: [...apply, "-refresh-only"],
  "up --refresh": apply,
  "preview --refresh": ["plan"],
  destroy: ["destroy", "-auto-approve"],
};

/** Terraform with the generic REST provider, on the same organisation. */
export class Terraform {
  /** Builds the provider. @returns {Promise<string | undefined>} the reason of a failure, as a sentence */
  static async missing() {
    if (!(await works("terraform", ["version"]))) return "Terraform is left out: there is no `terraform` on PATH.";
    const why = await buildWithGo("Terraform's REST provider", { sources: "terraform", package: module, program: provider });
    return why && `Terraform is left out: its REST provider is missing: ${why}`;
  }

  static async create(program, { platform, count }) {
    const terraform = new Terraform();
    terraform.folder = join(scratch, `terraform-${randomBytes(4).toString("hex")}`);
    mkdirSync(terraform.folder, { recursive: true });
    const own = program === "grants" ? "grants.tf" : "main.tf";
    for (const file of ["provider.tf", own]) copyFileSync(join(sources, file), join(terraform.folder, file));
    const settings = join(terraform.folder, "settings.tfrc");
    writeFileSync(
      settings,
      `provider_installation {\n  dev_overrides { "mastercard/restapi" = "${providerFolder}" }\n  direct {}\n}\n`,
    );
    terraform.environment = {
      ...withoutPlatform(process.env),
      TF_CLI_CONFIG_FILE: settings,
      CHECKPOINT_DISABLE: "1",
      TF_VAR_base_url: platform.baseUrl,
      TF_VAR_token: platform.token,
      TF_VAR_root: platform.organization,
      TF_VAR_viewer: platform.viewer,
      TF_VAR_editor: platform.editor,
      TF_VAR_resources: String(count),
    };
    return terraform;
  }

  /** Runs one of `commands`. Undefined for an operation that Terraform lacks. */
  operate(operation) {
    const command = commands[operation];
    if (command === undefined) return undefined;
    const args = [...command, "-input=false", "-no-color"];
    return timed("terraform", args, { cwd: this.folder, env: this.environment });
  }

  stateBytes() {
    return statSync(join(this.folder, "terraform.tfstate")).size;
  }

  close() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
