import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTokenSource } from "../../provider/credentials";
import { startServer } from "../support/http-double";
import { expectFailure } from "../support/failures";
import { configuration, goodOidcToken } from "./support";

const before = process.cwd();
const root = realpathSync(mkdtempSync(join(tmpdir(), "relative-")));
const [project, none] = [join(root, "project"), join(root, "none")];
const oidcToken = goodOidcToken();

beforeAll(() => {
  for (const folder of [project, none]) {
    for (const each of ["secret", "infra/deep"]) mkdirSync(join(folder, each), { recursive: true });
    writeFileSync(join(folder, "secret/oidc"), oidcToken, { mode: 0o600 });
    writeFileSync(join(folder, "secret/print"), "#!/bin/sh\necho opaque-of-the-command\n");
    chmodSync(join(folder, "secret/print"), 0o700);
  }
  writeFileSync(join(project, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: infra/\n");
});
afterEach(() => process.chdir(before));
afterAll(() => rmSync(root, { recursive: true }));

describe.each([
  ["the folder of the project", project],
  ["the folder of the program, where a run works", join(project, "infra")],
  ["a folder below", join(project, "infra/deep")],
  ["a folder without a project", none],
])("a relative path, in %s", (_, folder) => {
  test("names the same token file", async () => {
    const platform = await startServer(() => ({ body: { token: "api-token-1" } }));
    process.chdir(folder);
    const tokens = createTokenSource(configuration(platform.url, { PLATFORM_OIDC_TOKEN_FILE: "secret/oidc" }));
    expect(await tokens.token()).toBe("api-token-1");
    expect(platform.seen.map(({ token }) => token)).toEqual([oidcToken]);
  });

  test.each(["secret/print", "./secret/print", "sh ./secret/print"])(
    "names the same program or argument: %s",
    async (command) => {
      process.chdir(folder);
      const tokens = createTokenSource(configuration("https://api.example.com", { PLATFORM_TOKEN_COMMAND: command }));
      expect(await tokens.token()).toBe("opaque-of-the-command");
    },
  );
});

test("the error for a relative path without a file says where it starts", async () => {
  process.chdir(join(project, "infra"));
  const tokens = createTokenSource(configuration("https://api.example.com", { PLATFORM_OIDC_TOKEN_FILE: "../secret/oidc" }));
  await expectFailure(tokens.token(), "CREDENTIALS", join(root, "secret/oidc"), "starts at the folder of Pulumi.yaml");
});
