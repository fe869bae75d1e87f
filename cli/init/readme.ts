import { markdownCode } from "../text/markdown";
import type { About, Language } from "./languages";
import type { Surroundings } from "./settings";

/** The command that starts the emulator of a new project. */
export const emulatorCommand = "npx --no-install pulumi-platform emulator --data platform.db";

/** An introduction to a new project for people, as Markdown. */
export function readme({ name, library }: About, { title, members }: Language, around: Surroundings, stack: string): string {
  const { platform, hasBackend, needsPassphrase } = around;
  const needsShell = platform === undefined || needsPassphrase;
  const parts = [
    `# ${name}`,
    `A first program in ${title}, written by \`pulumi-platform init\`: a group, a pipeline that logs in without a secret, and its role.\n` +
      "The numbers in the login are GitHub's ids of an owner and a repository. Put in your own.",
    "## Run it",
    ...(platform === undefined ? [emulatorPart, code(emulatorCommand), "In the first terminal:"] : [platformPart]),
    code(
      ...(needsShell ? [". ./env.sh"] : []),
      "pulumi up",
      "npx --no-install pulumi-platform access   # who has which role where",
    ),
    ...(platform === undefined ? [ownPlatformPart(members !== undefined)] : []),
    "## Where things are",
    [
      hasBackend
        ? `- State: in the backend of \`PULUMI_BACKEND_URL\`, stack \`${stack}\`. The variable must have the same value next time.`
        : `- State: \`state/\`, stack \`${stack}\`. Run \`pulumi\` in this folder. To keep state elsewhere, remove \`backend\` from \`Pulumi.yaml\`.`,
      needsPassphrase
        ? "- Passphrase of the stack's secrets: `.passphrase`. Without it they cannot be read. It is in no repository, so keep a copy in a safe place."
        : "- Passphrase of the stack's secrets: as the environment or the backend gave it.",
      ...(needsShell ? ["- Settings of this machine: `env.sh`, for each new shell. On Windows, set its variables by hand."] : []),
      `- \`pulumi-platform\`, ${library === undefined ? "" : "its plugin, "}its commands and the emulator: \`package.json\`. Never install it by its name alone, because on a public registry the name may be a stranger's.`,
      ...(library === undefined
        ? []
        : [
            `- Library for ${title}: ${markdownCode(library.file)}. A release of the package needs the library of the same release.`,
          ]),
    ].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

const emulatorPart =
  "The program is for the emulator, a stand-in of the platform on this machine. Start it in a second terminal, in this folder:";

const platformPart = "With address and credentials of the platform in the environment, as for `pulumi-platform init`:";

/** @param isYaml whether the program reads only settings of its own project */
const ownPlatformPart = (isYaml: boolean) =>
  "For the platform itself, make a stack of its own: put its address and credentials into the environment instead of the `PLATFORM_*` lines of `env.sh`,\n" +
  `and its organisation into the stack with \`pulumi config set platform:organization UID\`${isYaml ? " and `pulumi config set organization UID`" : ""}.`;

function code(...lines: string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}
