import { markdownCode, markdownText } from "../text/markdown";
import type { Format } from "./format";
import type { Program, Unmanaged } from "./program";
import { expectedTarball, packageName } from "../project/own-package";
import { importCommand, importFilesOf } from "./protection";
import type { Root } from "./typescript";

/** The origin of an export, and its dependency on this package (see {@link ownDependency}). */
interface About {
  readonly root: Root & { readonly name: string };
  readonly dependency: string | undefined;
}

/** An introduction to the exported program for people, as Markdown. */
export function readme(program: Program, { root, dependency }: About, format: Format): string {
  const all = importFilesOf(program);
  const filled = all.filter(({ resources }) => resources.length > 0);
  const imports = filled.length === 0 ? all : filled;
  const parts = [
    `# ${markdownText(root.name)}`,
    `${countsOf(program)} of ${markdownCode(root.path ?? root.uid)}, as they were on the platform when \`pulumi-platform export\` wrote this program.`,
    layout[format],
    "## Take it over",
    `${imports.map(({ name }) => markdownCode(name)).join(" and ")} ${imports.length === 1 ? "puts" : "put"} the existing objects into the state of a stack. This sends nothing to the platform.${format === "yaml" ? " The plugin reads each object by its uid." : ""}`,
    packagePart(dependency),
    code(
      "npm install",
      "pulumi stack init main",
      ...imports.map((file) => [savedOnce, ...importCommand(file)].join(" ")),
      `pulumi preview --refresh --run-program --expect-no-changes && \\\n  ${savedOnce} up --skip-preview --expect-no-changes --yes`,
    ),
    "The preview exits with 0 if program, state and platform agree. Only then does the `up` run. It changes nothing on the platform, and adds the dependencies, which an import does not know, to the state.\n`PULUMI_SKIP_CHECKPOINTS` saves the state once for each command instead of once for each object. A command that is killed leaves the state from before it: run it again. Leave the variable out of any other `up`.\n`pulumi-platform export --import` does all of this.",
    ...(program.resources.some(({ isProtected }) => isProtected) ? ["## Delete what is protected", protectedPart[format]] : []),
    ...(program.secrets.length === 0
      ? []
      : ["## Secrets", secretPart[format], code(...program.secrets.map((key) => `pulumi config set --secret ${key}`))]),
    ...(program.unmanaged.length === 0 ? [] : unmanagedPart(program.unmanaged)),
    "## What no program declares",
    "Terms that were accepted, SCIM tokens and READMEs of repositories are not part of an export. Advisories are data that the platform publishes.",
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The Pulumi CLI, saving the state once at the end of a command. */
const savedOnce = "PULUMI_SKIP_CHECKPOINTS=1 pulumi";

const layout: Readonly<Record<Format, string>> = {
  typescript:
    "The files follow the tree: `engineering.ts` has the group and what is in it, `engineering/shop.ts` a large group below it.\n" +
    "`*.access.ts` has what connects different parts of the tree, such as a role of an identity of another group.",
  yaml: "`Pulumi.yaml` has the whole program. It needs the native plugin of `pulumi-platform`.",
};

/** How a written program gets this package. */
export function packagePart(dependency: string | undefined): string {
  const where =
    dependency === undefined
      ? `The command could not tell from where \`${packageName}\` was installed. Put its tarball here, as ${markdownCode(expectedTarball)}, or run \`npm install FILE\`\nwith the tarball in another place.`
      : `\`package.json\` has \`${packageName}\` from where it was installed for this command: ${markdownCode(dependency)}.\nIf you have it elsewhere, run \`npm install FILE\` with its tarball.`;
  return `${where} Never install it by its name alone: on a public registry, the name may be a stranger's.`;
}

const deletedHow = (option: string) =>
  "Groups, identities, identity providers, and role bindings that give control of the root of the organisation are protected. The\n" +
  "preview of a run that would delete or replace one of them fails, and nothing is sent; with `--skip-preview`, what is not protected may\n" +
  "be deleted before the run fails. To delete a protected object, take two steps:\n\n" +
  `1. Remove ${option} from it, and run \`pulumi up\`.\n2. Remove it from the program, and run \`pulumi up\` again.`;

const protectedPart: Readonly<Record<Format, string>> = {
  typescript: deletedHow("`{ protect: true }`"),
  yaml: deletedHow("`protect: true`"),
};

const secretPart: Readonly<Record<Format, string>> = {
  typescript:
    "The platform does not return these. While one is not set, the platform keeps its value. Set one to have the program manage\nit: the next `pulumi up` sends it once.",
  yaml:
    "The platform does not return these, and the program does not declare them: the platform keeps their values. To have the program\n" +
    "manage one, set it, add its key with `type: string` to `config` of `Pulumi.yaml`, and `clientSecret: ${KEY}` to `oidc` of the\n" +
    "identity provider. The next `pulumi up` sends it once.",
};

function unmanagedPart(unmanaged: readonly Unmanaged[]): string[] {
  const rows = unmanaged.map(
    ({ object, reason }) =>
      `- ${object.kind.split(":").at(-1) ?? ""} ${markdownText(object.path ?? object.name ?? "")} (${markdownCode(object.uid)}): ${markdownText(reason)}.`,
  );
  return ["## Not in this program", `These objects exist, and the program does not declare them:\n\n${rows.join("\n")}`];
}

/** `12 groups, 3 identities and 1 repo` */
export function countsOf({ resources }: Pick<Program, "resources">): string {
  const counts = new Map<string, number>();
  for (const { kind } of resources) counts.set(kind.collection.noun, (counts.get(kind.collection.noun) ?? 0) + 1);
  const texts = [...counts].map(([noun, count]) => `${count} ${count === 1 ? noun : noun.replace(/y$/, "ie") + "s"}`);
  return texts.length === 0 ? "Nothing" : new Intl.ListFormat("en-GB").format(texts);
}

function code(...lines: string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}
