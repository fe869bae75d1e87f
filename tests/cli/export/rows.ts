import type { Format } from "../../../cli/export/format";
import { projectFiles } from "../../../cli/export/project";
import { type Program, programOf } from "../../../cli/export/program";
import { type Surroundings, surroundingsOf } from "../../../cli/export/surroundings";
import { inYaml } from "../../../cli/export/yaml";
import { groupOf, kindNamed } from "../../../inventory/kinds";
import type { PlatformObject } from "../../../inventory/objects";
import { parentOf } from "../../../provider/client/uid";

const capabilities = { owner: ["CAP_IAM_ROLE_BINDINGS_UPDATE"], editor: ["CAP_REPO_UPDATE"], viewer: ["CAP_REPO_LIST"] };

/** Built-in roles by uid. */
const builtIn = new Map(
  Object.entries(capabilities).map(([name, each], index) => [String(index + 1).repeat(40), { name, capabilities: each }]),
);

/** Uid of a built-in role. */
export function role(name: string): string {
  return [...builtIn].find(([, each]) => each.name === name)?.[0] ?? "";
}

const claimMatch = { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" };

/** How an organisation is exported. */
interface Exported {
  /** Default: nothing is removed. */
  readonly removerOf?: Surroundings["removerOf"];
  /** Default: typescript. */
  readonly format?: Format;
  /** Default: true. */
  readonly isProtecting?: boolean;
}

function objectOf(kind: string, row: { readonly uid: string; readonly name?: string }): PlatformObject {
  const { name } = row;
  const of = kindNamed(kind);
  return { kind, uid: row.uid, place: groupOf(of, row.uid), ...(name && { name }), value: of.observe(row).inputs, row };
}

/** An organisation as Lists show it, built row by row. */
export class Rows {
  readonly objects: PlatformObject[] = [];
  readonly root: string;
  /** Uids of the objects that a stack manages. */
  readonly managed = new Set<string>();
  readonly #paths = new Map<string, string>();

  constructor(name = "acme") {
    this.root = this.add("iam:Group", "", { name });
  }

  /** @returns the uid of the new object */
  add(kindName: string, parent: string, fields: Readonly<Record<string, unknown>>, segment?: string): string {
    const count = this.objects.length;
    const last = segment ?? count.toString(16).padStart(parent === "" ? 40 : 16, "0");
    const kind = kindNamed(kindName);
    const uid = kind.sharesUid ? parent : parent === "" ? last : `${parent}/${last}`;
    const createTime = new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString();
    const row = kind.collection.schema.parse({ uid, createTime, updateTime: createTime, ...fields });
    const { name } = fields as { name?: string };
    const place = kind.sharesUid ? uid : kind.placeOf(uid);
    const path =
      name === undefined ? this.#paths.get(place ?? "") : [this.#paths.get(parentOf(uid) ?? ""), name].filter(Boolean).join("/");
    if (name !== undefined && path !== undefined && !kind.sharesUid) this.#paths.set(uid, path);
    const value = kind.observe(row).inputs;
    this.objects.push({
      kind: kindName,
      uid,
      place,
      value,
      row,
      ...(name !== undefined && { name }),
      ...(path !== undefined && { path }),
    });
    return uid;
  }

  group(parent: string, name: string, fields: object = {}, segment?: string): string {
    return this.add("iam:Group", parent, { name, ...fields }, segment);
  }

  identity(parent: string, name: string, form: Readonly<Record<string, unknown>> = { claimMatch }): string {
    return this.add("iam:Identity", parent, { name, ...form });
  }

  bind(group: string, identityUid: string, roleUid: string, identity: object = {}): string {
    return this.add("iam:RoleBinding", group, {
      identity: { uid: identityUid, ...identity },
      role: { uid: roleUid },
      group: { uid: group },
    });
  }

  /** The built-in roles, as Lists show them. */
  roles(): PlatformObject[] {
    return [...builtIn].map(([uid, each]) => objectOf("iam:Role", { uid, ...each }));
  }

  /** The identities that role bindings name and that are not among the objects. */
  boundElsewhere(): PlatformObject[] {
    const bound = this.objects.flatMap(({ kind, row }) =>
      kind === "iam:RoleBinding" ? [Reflect.get(row, "identity") as { uid: string }] : [],
    );
    return bound.filter(({ uid }) => !this.objects.some((each) => each.uid === uid)).map((row) => objectOf("iam:Identity", row));
  }

  /** @param root uid of the group to export. Default: the organisation */
  program(root = this.root, { removerOf = () => undefined, format = "typescript", isProtecting = true }: Exported = {}): Program {
    const inside = this.objects.filter(({ uid }) => (uid === root || uid.startsWith(`${root}/`)) && !this.managed.has(uid));
    const known = this.#surroundings(root, removerOf);
    const written = format === "yaml" ? inYaml(known) : known;
    return programOf(inside, isProtecting ? written : { ...written, isProtected: () => false });
  }

  #surroundings(root: string, removerOf: Surroundings["removerOf"]): Surroundings {
    const hasAllIdentities = root === this.root;
    const managed = this.objects.filter(({ uid }) => this.managed.has(uid));
    return surroundingsOf({ root, objects: this.objects, builtInRoles: builtIn, hasAllIdentities, managed, removerOf });
  }

  /** The project of the whole organisation. */
  files(format: Format = "typescript", program = this.program(undefined, { format }), dependency?: string): Map<string, string> {
    const root = { uid: this.root, path: this.#paths.get(this.root) };
    const { roleName, pathOf } = this.#surroundings(this.root, () => undefined);
    const knownName = (uid: string) => roleName(uid) ?? pathOf(uid);
    return projectFiles(program, { root: { ...root, name: root.path ?? "" }, around: root, knownName, dependency }, format);
  }
}

/** The sources of the program in `files`, in one text. */
export function sources(files: ReadonlyMap<string, string>): string {
  return [...files].flatMap(([name, text]) => (name.endsWith(".ts") ? [text] : [])).join("\n");
}

/** An organisation with an object of every kind that is protected, and of some that are not. */
export function protectedOrganization(): Rows {
  const acme = new Rows();
  const shop = acme.group(acme.root, "shop");
  const [ci, admin] = [acme.identity(shop, "ci"), acme.identity(acme.root, "admin")];
  const access = { name: "access", capabilities: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] };
  const reader = { name: "reader", capabilities: ["CAP_REPO_LIST"] };
  for (const uid of [role("owner"), role("viewer"), acme.add("iam:Role", acme.root, access)]) acme.bind(acme.root, admin, uid);
  for (const uid of [ci, acme.identity(acme.root, "robot")]) acme.bind(acme.root, uid, role("owner"));
  acme.bind(acme.root, ci, acme.add("iam:Role", acme.root, reader));
  acme.bind(shop, ci, role("owner"));
  acme.bind(shop, admin, role("owner"));
  const oidc = { issuer: "https://login.example", clientId: "platform" };
  acme.add("iam:IdentityProvider", acme.root, { name: "sign-in", defaultRole: role("viewer"), oidc });
  acme.add("registry:Repo", shop, { name: "web" });
  return acme;
}
