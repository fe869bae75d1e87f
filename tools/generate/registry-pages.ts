import { type Examples } from "./examples";
import { namesOf, publishedBy, type Manifest } from "./published";

/** The texts from which the pages are made. */
export interface RegistrySources {
  readonly manifest: Manifest;
  readonly readme: string;
  /** The page of the settings. */
  readonly configuration: string;
  readonly examples: Examples;
}

/** The example of the start page, because it uses a data source too. */
const shown = "platform:iam:RoleBinding";

/** The languages that have an SDK or need none, by the registry's names. Each has an example, except that .NET has no converter here. */
const languages = ["typescript", "python", "go", "java", "yaml"];

/**
 * The pages that Pulumi's registry reads in docs/ at the tag of a release, by their paths. Links to pages of docs/ would lead nowhere there.
 *
 * @throws Error for a language without an example
 */
export function registryPages(sources: RegistrySources): ReadonlyMap<string, string> {
  return new Map([
    ["docs/_index.md", overview(sources)],
    ["docs/installation-configuration.md", installation(sources)],
  ]);
}

function overview({ readme, examples }: RegistrySources): string {
  const [introduction = ""] = /^A \[Pulumi\].*?(?=\n\n)/ms.exec(readme) ?? [];
  return page(
    "Platform",
    "The Platform provider for Pulumi manages groups, identities, roles and role bindings of an organisation.",
    [
      introduction,
      "## Example",
      "A role binding gives one identity one role in one group and all groups below.",
      chooser((language) => {
        const text = examples.get(shown)?.[language];
        if (text === undefined) throw new Error(`${shown} has no example in ${language}.`);
        return block(language, language === "yaml" ? `name: access\nruntime: yaml\n${text}` : text);
      }),
      "[Installation and configuration](./installation-configuration/) says how to install the SDK of each language and the plugin.",
    ],
  );
}

function installation({ manifest, configuration }: RegistrySources): string {
  const { version } = manifest;
  const { pluginDownloadURL: files } = publishedBy(manifest);
  const names = namesOf(manifest);
  // The address is unknown until package.json names the repository.
  const at = (file: string) => `${files ?? "RELEASE"}/${file}`;
  const archive = (language: string) => `pulumi-platform-sdk-${language}-v${version}.tar.gz`;
  const [table = ""] = /^\|.*?(?=\n\n)/ms.exec(configuration) ?? [];
  const commands: Record<string, string> = {
    typescript: `npm install ${names.node}@${version} @pulumi/pulumi@3`,
    python: `pip install ${at(`${names.python}-${version}-py3-none-any.whl`)}`,
    go: `mkdir platform-sdk\ncurl -sSL ${at(archive("go"))} | tar -xz -C platform-sdk\ngo mod edit -require ${names.go}@v0.0.0 -replace ${names.go}=./platform-sdk`,
    java: `mkdir platform-sdk\ncurl -sSL ${at(archive("java"))} | tar -xz -C platform-sdk\nmvn --file platform-sdk/pom.xml install   # ${names.java}:platform:${version}`,
    yaml: "# YAML needs the plugin only.",
  };
  return page("Platform: Installation & Configuration", "How to install and configure the Platform provider for Pulumi.", [
    "## Installation",
    "The SDK of each language:",
    chooser((language) => block("sh", `${commands[language] ?? ""}\n`)),
    "No SDK of .NET is released.",
    "The plugin, once on each machine that runs programs:",
    block("sh", `pulumi plugin install resource platform ${version} --server ${files ?? "RELEASE"}\n`),
    ...(files === undefined ? ["`RELEASE` is the address of the release's files."] : []),
    "## Configuration",
    "A stack says where the platform is, and as which identity its program logs in:",
    block(
      "sh",
      "pulumi config set platform:baseUrl https://api.platform.example\npulumi config set platform:organization 0123456789abcdef0123456789abcdef01234567\npulumi config set platform:identity 0123456789abcdef0123456789abcdef01234567/0123456789abcdef\n",
    ),
    "The environment can say the same, and has what must not be in a state:",
    block(
      "sh",
      "export PLATFORM_BASE_URL=https://api.platform.example\nexport PLATFORM_OIDC_TOKEN_FILE=/var/run/secrets/token\n",
    ),
    table,
  ]);
}

/** A page with the front matter that the registry requires. */
function page(title: string, description: string, parts: readonly string[]): string {
  const front = ["---", `title: ${JSON.stringify(title)}`, `meta_desc: ${JSON.stringify(description)}`, "layout: package", "---"];
  return `${[front.join("\n"), ...parts].join("\n\n")}\n`;
}

function chooser(content: (language: string) => string): string {
  const choices = languages.map((each) => `{{% choosable language ${each} %}}\n\n${content(each)}\n\n{{% /choosable %}}`);
  return [`{{< chooser language "${languages.join(",")}" >}}`, ...choices, "{{< /chooser >}}"].join("\n");
}

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\`\`\``;
