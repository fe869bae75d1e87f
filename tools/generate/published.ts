/** The part of package.json that says who publishes the package, and where. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  /** With the category and the kind by which Pulumi's registry sorts packages. */
  readonly keywords: readonly string[];
  readonly license: string;
  /** The publisher, as npm writes people: `Name <address> (page)`. */
  readonly author?: string;
  readonly homepage?: string;
  readonly repository?: { readonly url: string };
  /** Address of the picture in Pulumi's registry. */
  readonly logoUrl?: string;
}

/** The packages of the plugin's SDKs. Everything that names one of them reads it in schema.json. */
export interface PackageNames {
  /** A package of its own, because npm installs `a/b` from the GitHub repository of that name. */
  readonly node: string;
  readonly python: string;
  /** The module of Go. */
  readonly go: string;
  /** The package that contains `platform`, and Maven's group. Pulumi's converter imports functions from no other. */
  readonly java: string;
}

/** The module of Go lies in the repository. Without one, its name leads nowhere on the network. */
export function namesOf({ repository }: Partial<Manifest>): PackageNames {
  const { owner, name } = onGitHub(repository?.url) ?? {};
  const module = name === undefined ? "pulumi-platform.local" : `github.com/${owner}/${name}`;
  return { node: "pulumi-platform-native", python: "pulumi_platform", go: `${module}/sdk/go/platform`, java: "com.pulumi" };
}

/** The publisher of the package, its addresses, and the place where engines find its plugin, if package.json contains them. */
export function publishedBy({ version = "", author, homepage, repository, logoUrl }: Partial<Manifest>): Record<string, string> {
  const { owner, name } = onGitHub(repository?.url) ?? {};
  return {
    ...(author !== undefined && { publisher: author.replace(/\s*[<(].*$/, "") }),
    ...(homepage !== undefined && { homepage }),
    ...(logoUrl !== undefined && { logoUrl }),
    ...(repository !== undefined && { repository: repository.url.replace(/^git\+|\.git$/g, "") }),
    // Otherwise, engines look for the plugin among Pulumi's own. `github://` would do for engines, but Pulumi's registry passes only
    // https addresses to `pulumi plugin install`.
    ...(name !== undefined && { pluginDownloadURL: `https://github.com/${owner}/${name}/releases/download/v${version}` }),
  };
}

function onGitHub(url = ""): { owner: string; name: string } | undefined {
  const address = /^(?:git\+)?(?:https|ssh|git):\/\/(?:git@)?github\.com\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/;
  const [, owner, name] = address.exec(url) ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}
