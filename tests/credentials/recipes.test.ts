import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { createTokenSource } from "../../provider/credentials";
import {
  azureManagedIdentity,
  bitbucketPipelines,
  buildkite,
  circleci,
  googleServiceAccount,
  kubernetes,
  pulumiDeployments,
} from "../../sdk";
import { tableRows } from "../docs/markdown";
import { useBench } from "../emulator/support";
import { configuration } from "./support";
import { scratchFolder } from "../support/scratch-folder";
import { expectFailure } from "../support/failures";

const bench = useBench();

const [one, two, three] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
  "33333333-3333-4333-8333-333333333333",
];
const google = { match: googleServiceAccount({ uniqueId: "123456789012345678901" }), subject: "123456789012345678901" };
const ari = `ari:cloud:bitbucket::workspace/${one}`;

/** A token of a system, and what its helper accepts. */
interface Issued {
  match: object;
  subject: string;
  audience?: string;
  /** The text that the command asking for the token must name. Default: no command asks. */
  asked?: string;
}

const systems: Record<string, Issued> = {
  Buildkite: {
    match: buildkite({ organization: "acme", pipeline: "shop", branch: "main" }),
    subject: "organization:acme:pipeline:shop:ref:refs/heads/main:commit:abc123:step:build",
    asked: "--audience auth.platform.example",
  },
  CircleCI: {
    match: circleci({ organizationId: one, projectId: two }),
    subject: `org/${one}/project/${two}/user/${three}`,
    audience: one,
  },
  Bitbucket: {
    match: bitbucketPipelines({ workspace: "acme", workspaceUuid: one, repositoryUuid: two }),
    subject: `{${two}}:{${three}}`,
    audience: ari,
  },
  "Google Cloud": { ...google, asked: "--audiences=auth.platform.example" },
  "Google Cloud, without `gcloud`": { ...google, asked: "identity?audience=auth.platform.example" },
  Azure: {
    match: azureManagedIdentity({ tenantId: one, principalId: two, clientId: three }),
    subject: two,
    audience: three,
    asked: `--resource ${three}`,
  },
  "Pulumi Deployments": {
    match: pulumiDeployments({ organization: "acme", project: "shop", stack: "prod", operation: "update" }),
    subject: "pulumi:deploy:org:acme:project:shop:stack:prod:operation:update:scope:write",
    audience: "acme",
  },
};

/** The documented words for the token of each system, for a shell. */
const documented = tableRows("docs/guides/credentials.md").flatMap(([system = "", cell = ""]): [string, string][] => {
  const [, words] = /^`(\$[^`]+)`/.exec(cell) ?? [];
  return words === undefined ? [] : [[system, words]];
});

/** An identity with these claims. Tokens of the emulator's issuer stand in for those of the other. */
async function identityFor(match: object): Promise<string> {
  const claimMatch = { ...match, issuer: bench.issuer };
  return (await bench.create("identities", bench.root, { name: "ci", claimMatch })).uid;
}

const login = (environment: Record<string, string>) =>
  createTokenSource(configuration(bench.baseUrl, { PLATFORM_AUTH_URL: bench.emulator.authUrl, ...environment })).token();

test("every documented system is tested", () => {
  expect(documented.map(([system]) => system)).toEqual(Object.keys(systems));
});

test.each(documented)("the documented token of %s is exchanged for the identity of its helper", async (system, words) => {
  const { match, subject, audience, asked } = systems[system] ?? { match: {}, subject: "" };
  const token = await bench.oidcToken({ subject, audience });
  // The token of a command that does not ask for this audience.
  const other = await bench.oidcToken({ subject, audience: "elsewhere" });
  const tools = scratchFolder();
  const [, tool] = /^\$\((\S+)/.exec(words) ?? [];
  if (tool !== undefined) {
    const script = `#!/bin/sh\ncase "$*" in *'${asked ?? ""}'*) echo '${token}' ;; *) echo '${other}' ;; esac\n`;
    await writeFile(path.join(tools, tool), script, { mode: 0o755 });
  }
  const variable = /^\$(\w+)/.exec(words)?.[1] ?? "UNUSED";
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", `export TOKEN="${words}"; printf %s "$TOKEN"`], {
    env: { PATH: tools, CLIENT_ID: three, [variable]: token },
  });
  const identity = await identityFor(match);
  expect(await login({ PLATFORM_OIDC_TOKEN: stdout, PLATFORM_IDENTITY: identity })).not.toBe("");
  await expectFailure(login({ PLATFORM_OIDC_TOKEN: other, PLATFORM_IDENTITY: identity }), "CREDENTIALS");
});

test.each([
  ["of its own", undefined],
  ["for EKS", "sts.amazonaws.com"],
  ["for AKS", "api://AzureADTokenExchange"],
])("a projected token of Kubernetes %s is exchanged, also after its rotation", async (_what, audience) => {
  const account = { issuer: "https://cluster.example", namespace: "shop", name: "deployer", ...(audience && { audience }) };
  const identity = await identityFor(kubernetes(account));
  const file = path.join(scratchFolder(), "token");
  for (let rotation = 0; rotation < 2; rotation++) {
    await writeFile(file, await bench.oidcToken({ subject: "system:serviceaccount:shop:deployer", audience }), { mode: 0o600 });
    expect(await login({ PLATFORM_OIDC_TOKEN_FILE: file, PLATFORM_IDENTITY: identity })).not.toBe("");
  }
});
