import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const command = path.resolve(__dirname, "../../../dist/cli/main.js");

useProject();

/** Collections, in an order in which an object comes after those that it names. */
const collections: Record<string, string> = {
  Group: "groups",
  Identity: "identities",
  Role: "roles",
  RoleBinding: "roleBindings",
  GroupInvite: "groupInvites",
  IdentityProvider: "identityProviders",
  AccountAssociation: "accountAssociations",
  Repo: "repos",
  Tag: "tags",
  Subscription: "subscriptions",
};

interface Entry {
  type: string;
  name: string;
  id: string;
  inputs: Record<string, unknown>;
}

const kindOf = ({ type }: Entry) => type.split(":").at(-1) ?? "";

async function convert(): Promise<{ entries: Entry[]; report: string }> {
  const state = path.join(project.folder, "terraform.tfstate");
  const out = path.join(project.folder, "import.json");
  const { stderr } = await promisify(execFile)(process.execPath, [command, "from-terraform", "--state", state, "--out", out]);
  return { entries: (JSON.parse(await readFile(out, "utf8")) as { resources: Entry[] }).resources, report: stderr };
}

const changes = (steps: string[]) => steps.filter((step) => !step.startsWith("refresh "));

/** Creates the objects of the state on the emulator, which assigns other uids, and writes the state with those. */
async function createObjects(): Promise<void> {
  // Written by `terraform apply` with the platform's own provider. Only its name was replaced, in types and in its address.
  let state = await readFile(path.resolve(__dirname, "../../support/terraform/organization.tfstate"), "utf8");
  const replace = (old: string, now: string) => (state = state.replaceAll(old, now));
  replace("1f0e8a6c5d2b4937a1c0e9d8f7b6a5948372615a", platform.root);
  replace("3f2b9c5d7e8a1f60b4c2d1e0a9f8e7d6c5b4a392", await platform.role("viewer"));
  replace("2027-10-01T00:00:00Z", `${new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 19)}Z`);
  await project.file("terraform.tfstate", state);
  const order = Object.keys(collections);
  const rank = (entry: Entry) => order.indexOf(kindOf(entry)) * 1000 + entry.id.length;
  let entries = (await convert()).entries.sort((one, other) => rank(one) - rank(other));
  for (const index of entries.keys()) {
    const entry = entries[index] as Entry;
    const { parentUid, repoUid, __provider, ttl, ...fields } = entry.inputs;
    const parent = String(parentUid ?? repoUid);
    const digest = kindOf(entry) === "Tag" ? { digest: `sha256:${"0".repeat(64)}` } : {};
    const created = await platform.create(collections[kindOf(entry)] ?? "", parent, {
      ...fields,
      ...(ttl ? { ttl } : {}),
      ...digest,
    });
    entries = JSON.parse(JSON.stringify(entries).replaceAll(entry.id, created.uid)) as Entry[];
    replace(entry.id, created.uid);
  }
  await project.file("terraform.tfstate", state);
}

const program = `
  const { AccountAssociation, GroupInvite, IdentityProvider, Repo, Subscription, Tag } = platform;
  const viewer = platform.getRoleOutput({ name: "viewer" }).uid;
  const gitlab = "https://gitlab.example.com";
  const engineering = new Group("engineering", { parentUid: root, description: "Everyone who builds" });
  const parentUid = engineering.uid;
  const regions = ["eu west", "us-east"].map((key) => [key, new Group("region-" + key, { parentUid, name: "region " + key })]);
  for (const stage of [0, 1]) new Group("stage-" + stage, { parentUid, name: "stage " + stage });
  const ci = new Identity("ci", {
    parentUid,
    description: "The pipeline",
    claimMatch: {
      issuer: gitlab,
      subject: "project_path:acme/shop:ref_type:branch:ref:main",
      audience: "https://issuer.example.com",
      claims: { environment: "production" },
    },
  });
  const release = new Identity("release", {
    parentUid,
    claimMatch: {
      issuer: "https://ci.example.com",
      subjectPattern: "^repo:acme/shop:ref:refs/tags/v.*$",
      claimPatterns: { workflow: "^release$" },
    },
  });
  const keys = require("./keys.json");
  new Identity("cluster", { parentUid, staticKeys: keys });
  new Identity("account", {
    parentUid,
    awsIdentity: {
      awsAccount: "123456789012",
      arn: "arn:aws:sts::123456789012:assumed-role/deployer/session",
      userIdPattern: "^AROAEXAMPLEEXAMPLE:.*$",
    },
  });
  const syncer = new Identity("syncer", { parentUid, servicePrincipal: "SERVICE_PRINCIPAL_CATALOG_SYNCER" });
  const puller = new Role("puller", {
    parentUid,
    description: "Pulls images",
    capabilities: ["CAP_REPO_LIST", "CAP_MANIFEST_LIST", "CAP_TAG_LIST"],
  });
  new RoleBinding("ci_puller", { parentUid, identityUid: ci.uid, roleUid: puller.uid });
  for (const [key, region] of regions)
    new RoleBinding("regional-" + key, { parentUid: region.uid, identityUid: release.uid, roleUid: viewer });
  new GroupInvite("auditor", { parentUid, roleUid: viewer, ttl: "86400s", email: "auditor@example.com" });
  const secret = process.env["CLIENT_SECRET"];
  new IdentityProvider("staff", {
    parentUid,
    description: "Where people sign in",
    defaultRole: viewer,
    oidc: {
      issuer: "https://login.example.com",
      clientId: "platform",
      ...(secret ? { clientSecret: secret } : {}),
      additionalScopes: ["profile", "email"],
    },
  });
  new AccountAssociation("engineering", {
    parentUid,
    name: "clouds",
    amazon: { account: "123456789012" },
    google: { projectId: "acme-shop", projectNumber: "123456789" },
    azure: {
      tenantId: "4d1c6f9e-2b7a-4f7e-9a31-5e0d8c3b2a10",
      clientIds: { catalog: "9b8f2c11-6e0d-4a5b-8c7f-1d2e3f405162" },
    },
    chainguard: { serviceBindings: { CATALOG_SYNCER: syncer.uid } },
    github: {
      appInstallations: {
        4242: { installations: [{ installationId: "31415926", name: "acme" }, { installationId: "31415927" }] },
      },
    },
  });
  const shop = new Repo("shop", {
    parentUid,
    description: "The shop",
    catalogTier: "CATALOG_TIER_APPLICATION",
    bundles: ["fips", "base"],
    aliases: ["shop:latest"],
    activeTags: ["stable", "latest"],
  });
  new Repo("nginx", { parentUid, sync_config: { source: "nginx", amazon: "acme/nginx" } });
  new Tag("stable", { repoUid: shop.uid, bundles: ["base"] });
  new Subscription("events", { parentUid, sink: "https://hooks.example.com/events" });
  for (const name of ["shop", "search"]) {
    const team = new Group("team-" + name + "-this", { parentUid, name: "team " + name });
    for (const index of [0, 1]) {
      const pipeline = new Identity("team-" + name + "-pipeline-" + index, {
        parentUid: team.uid,
        name: "pipeline-" + index,
        claimMatch: { issuer: gitlab, subject: "project_path:acme/" + name + ":ref_type:branch:ref:main:" + index },
      });
      new RoleBinding("team-" + name + "-pipeline-" + index, { parentUid: team.uid, identityUid: pipeline.uid, roleUid: viewer });
    }
  }
`;

test("a Terraform state becomes a Pulumi state that agrees with program and platform, and nothing is written", async () => {
  await createObjects();
  const { entries, report } = await convert();
  expect(report).not.toContain("fictional");
  expect(JSON.stringify(entries)).not.toContain("fictional");
  const cluster = entries.find(({ name }) => name === "cluster");
  await project.file("keys.json", JSON.stringify(cluster?.inputs["staticKeys"]));
  await platform.clearRequests();

  await succeed(
    project.pulumi("import", "--yes", "--file", `${project.folder}/import.json`, "--generate-code=false", "--protect=false"),
  );
  expect((await project.resources()).map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id).sort());
  await project.program(program);
  project.environment["CLIENT_SECRET"] = "fictional-client-secret";
  const preview = await succeed(project.preview("--refresh", "--run-program"));
  // The secret is all that the file leaves out.
  expect(changes(preview.steps)).toEqual(["update IdentityProvider staff"]);
  expect(await platform.writes()).toEqual([]);

  await succeed(project.up("--refresh", "--run-program"));
  expect(await platform.writes()).toMatchObject([
    { method: "PATCH", body: { oidc: { clientSecret: "fictional-client-secret" } } },
  ]);
  await succeed(project.preview("--refresh", "--run-program", "--expect-no-changes"));
  expect((await project.pulumi("stack", "export")).output).not.toContain("fictional");
});

test("the program of --program agrees with the import and the platform while its secret is not set, and nothing is written", async () => {
  await createObjects();
  const converted = path.join(project.folder, "converted");
  await succeed(project.command("from-terraform", "--state", `${project.folder}/terraform.tfstate`, "--program", converted));
  await platform.clearRequests();
  const pulumi = (...args: string[]) => succeed(project.pulumi("-C", converted, ...args, "--stack", "main"));
  await succeed(project.pulumi("-C", converted, "stack", "init", "main"));
  await pulumi("import", "--yes", "--file", "import.json", "--generate-code=false", "--protect=false");
  await pulumi("preview", "--refresh", "--run-program", "--expect-no-changes");
  expect(await platform.writes()).toEqual([]);
});
