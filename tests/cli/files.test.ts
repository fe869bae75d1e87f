import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "../../cli/shell/files";
import { fetchOidcToken } from "../../provider/credentials/oidc-token";
import { readConfiguration } from "../../provider/credentials";
import { TokenClock } from "../../provider/credentials/token-clock";
import { defaultTiming } from "../../provider/client/retry";
import { planOfFile } from "../../sdk/components/source";
import { goodOidcToken } from "../credentials/support";
import { utf16be, utf16le } from "../support/encodings";
import { expectFailure } from "../support/failures";

const folder = mkdtempSync(join(tmpdir(), "encodings-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: Buffer): string {
  const file = join(folder, "file");
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

const encodings = [
  ["UTF-8 with a mark", (text: string) => Buffer.from(`\uFEFF${text}`)],
  ["UTF-16", utf16le],
  ["UTF-16 with the other byte first", utf16be],
] as const;

describe.each(encodings)("a file in %s", (_, encode) => {
  test("of a command is read", async () => {
    expect(await readText(fileOf(encode('{ "steps": [] }')))).toBe('{ "steps": [] }');
  });

  test("with an OIDC token is read", async () => {
    const token = goodOidcToken();
    const environment = { PLATFORM_BASE_URL: "https://api.example.com", PLATFORM_OIDC_TOKEN_FILE: fileOf(encode(token)) };
    const configuration = readConfiguration(undefined, environment);
    const { credentials } = configuration;
    if (credentials.kind !== "oidc-token-file") throw new Error("no file");
    const clock = new TokenClock(configuration.authUrl);
    expect((await fetchOidcToken(credentials, configuration, { clock, timing: defaultTiming })).token).toBe(token);
  });

  test("with an organisation is read", () => {
    const file = fileOf(encode("groups:\n  engineering:\n    description: Zoë\n"));
    expect(planOfFile("organization", "platform:index:Organization", file).groups).toHaveLength(1);
  });
});

test("a file in another encoding is an error with its name and what to do", async () => {
  const file = fileOf(Buffer.from("groups: { zoë: {} }", "latin1"));
  await expectFailure(readText(file), "INVALID_INPUT", file, "neither UTF-8", "Save it as UTF-8");
  expect(() => planOfFile("organization", "platform:index:Organization", file)).toThrow(/neither UTF-8/);
  const environment = { PLATFORM_BASE_URL: "https://api.example.com", PLATFORM_OIDC_TOKEN_FILE: file };
  const configuration = readConfiguration(undefined, environment);
  const { credentials } = configuration;
  if (credentials.kind !== "oidc-token-file") throw new Error("no file");
  const clock = new TokenClock(configuration.authUrl);
  const reading = fetchOidcToken(credentials, configuration, { clock, timing: defaultTiming });
  await expectFailure(reading, "CREDENTIALS", file, "neither UTF-8");
});
