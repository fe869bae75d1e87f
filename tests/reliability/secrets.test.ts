import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Outcome, Project } from "../engine/project";
import { TestPlatform } from "../support/test-platform";
import { HttpDouble } from "../support/http-double";
import { FaultProxy } from "../support/fault-proxy";
import { writeFigures } from "./figures";
import { installSecretKind } from "./secret-kind";
import { isLong } from "../support/tier";
import { scratchFolder } from "../support/scratch-folder";

/** Everything that the engine and its plugins can be made to say. */
const loud = ["-v=9", "--logtostderr", "--logflow", "--debug"];

const planted = {
  requestToken: "planted-request-token-of-github-actions",
  input: "planted-secret-input-of-a-resource",
  output: "planted-secret-output-of-a-resource",
};

/** All credentials that were handed over, minted or sent, by what they are. */
const secrets = new Map<string, string>();
const platform = TestPlatform.forFile();
let proxy: FaultProxy;
let actions: HttpDouble;
let project: Project;
/** Where credentials are kept on purpose, which is no leak. */
const safe = scratchFolder();
let command: string;
let actionsUrl: string;

const program = `
const group = new Group("team", { parentUid: root, description: "A team" });
const claimMatch = { issuer: "https://issuer.example", subject: "repo:acme/shop" };
const identity = new Identity("ci", { parentUid: group.uid, claimMatch });
const { roles } = platform.getRolesOutput({ name: "viewer" });
new RoleBinding("binding", { parentUid: group.uid, identityUid: identity.uid, roleUid: roles[0].uid });
const key = new platform.ApiKey("key", { parentUid: group.uid, description: process.env["PLANTED_INPUT"] });
exports.key = key.apiKey;
`;

beforeAll(async () => {
  proxy = await FaultProxy.start(platform.baseUrl);
  project = await Project.create(program, {});
  await installSecretKind(project.folder, project.door);

  const oidcToken = (await readFile(platform.oidcTokenFile, "utf8")).trim();
  const apiToken = await platform.apiToken();
  secrets.set("the OIDC token", oidcToken).set("the API token", apiToken).set("the request token", planted.requestToken);
  await writeFile(path.join(safe, "api-token"), apiToken, { mode: 0o600 });
  command = `cat '${path.join(safe, "api-token")}'`;
  actions = await new HttpDouble(() => ({ body: { value: oidcToken } })).listen();
  actionsUrl = `${actions.url}/token?x=1`;
  proxy.interfere = async ({ path: asked }, forward) => {
    const answer = await forward();
    if (!asked.startsWith("/sts/")) return answer;
    secrets.set(`exchanged token ${secrets.size}`, (JSON.parse(answer.body) as { token: string }).token);
    return answer;
  };
});

afterAll(async () => {
  await actions.close();
  await proxy.close();
  await project.remove();
});

/** Lets the platform refuse the next `method` with words that hold `echo`, and answer everything else with the secret output. */
async function refuse(method: string, echo: string[]): Promise<void> {
  await platform.clearFaults();
  const groups = "^/iam/v2beta1/groups/";
  await platform.fault({ method, path: groups }, { status: 400, code: 3, message: `you sent ${echo.join(" or ")}` });
  for (const asked of ["GET", "POST", "PATCH"])
    await platform.fault({ method: asked, path: groups }, { rewrite: { apiKey: planted.output } }, { times: 0 });
}

/** Ways to log in, as variables of the engine. */
const sources: [string, () => Record<string, string>][] = [
  ["PLATFORM_TOKEN", () => ({ PLATFORM_TOKEN: secrets.get("the API token") ?? "" })],
  ["PLATFORM_OIDC_TOKEN", () => ({ PLATFORM_OIDC_TOKEN: secrets.get("the OIDC token") ?? "" })],
  ["GitHub Actions", () => ({ ACTIONS_ID_TOKEN_REQUEST_URL: actionsUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: planted.requestToken })],
  ["a token command", () => ({ PLATFORM_TOKEN_COMMAND: command })],
  ["a token file", () => ({ PLATFORM_OIDC_TOKEN_FILE: platform.oidcTokenFile })],
];

/** Everything that commands have printed, by command. */
const printed: [string, string][] = [];

async function run(what: string, credentials: Record<string, string>, work: () => Promise<Outcome>): Promise<Outcome> {
  const temporary = path.join(project.folder, "tmp");
  await mkdir(temporary, { recursive: true });
  for (const name of Object.keys(project.environment)) Reflect.deleteProperty(project.environment, name);
  Object.assign(project.environment, credentials, {
    PLATFORM_BASE_URL: proxy.baseUrl,
    PLATFORM_AUDIENCE: platform.baseUrl,
    PLATFORM_ORGANIZATION: platform.root,
    PLATFORM_IDENTITY: platform.identity,
    PLANTED_INPUT: planted.input,
    PULUMI_STACK: "test",
    PULUMI_HOME: path.join(project.folder, "home"),
    PULUMI_DEBUG_PROMISE_LEAKS: "true",
    TMPDIR: temporary,
  });
  const outcome = await work();
  printed.push([what, outcome.output]);
  return outcome;
}

/** Every file that the commands have left, and the emulator's log: by name, what is in it. */
async function written(): Promise<[string, string][]> {
  const entries = await readdir(project.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const texts = files.map(async (file): Promise<[string, string]> => [file, await readFile(file, "latin1")]);
  return [...(await Promise.all(texts)), ["the emulator's log", JSON.stringify(await platform.requests())]];
}

/** Which secret is where. The payload and the signature of a token count as the token. */
function found(texts: [string, string][], wanted: Iterable<[string, string]>): string[] {
  return [...wanted].flatMap(([what, secret]) => {
    const parts = [secret, ...secret.split(".").slice(1), Buffer.from(secret).toString("base64")].filter(
      (part) => part.length > 20,
    );
    return texts.filter(([, text]) => parts.some((part) => text.includes(part))).map(([where]) => `${what} in ${where}`);
  });
}

const plantedValues: [string, string][] = [
  ["the secret input", planted.input],
  ["the secret output", planted.output],
];

/** The way to log in of the first command. In the full count every command is run with every one; else each sort of token is used once. */
const rounds = isLong ? sources.map((_, round) => round) : [1];

test.each(rounds)(
  "no token appears in output, state, history, logs or files at the highest verbosity (round %d)",
  async (round) => {
    const source = (step: number) => sources[(round + step) % sources.length] ?? sources[0];
    const as = (step: number) => source(step)?.[1]() ?? {};
    const tokens = () => [...secrets.values()].filter((secret) => secret !== planted.requestToken);
    const label = (step: number, what: string) => `${what} as ${source(step)?.[0] ?? ""}`;

    await refuse("POST", [...tokens(), planted.input]);
    const failed = await run(label(0, "a failing up"), as(0), () => project.up(...loud));
    expect(failed.code).not.toBe(0);
    expect(failed.output).toContain("you sent [redacted] or [redacted]");

    const more: [string, () => Promise<Outcome>][] = [
      ["preview", () => project.preview("--diff")],
      ["refresh", () => project.refresh("--run-program", ...loud)],
    ];
    const steps: [string, () => Promise<Outcome>][] = [["up", () => project.up(...loud)], ...(isLong ? more : [])];
    for (const [index, [what, work]] of steps.entries()) {
      const { code, output } = await run(label(index + 1, what), as(index + 1), work);
      expect([what, code, code === 0 ? "" : output.slice(-3_000)]).toEqual([what, 0, ""]);
    }
    expect(await project.stateText()).toContain(planted.output);
    await refuse("DELETE", [...tokens(), planted.input, planted.output]);
    const last = await run(label(steps.length + 1, "a failing destroy"), as(steps.length + 1), () =>
      project.destroy("--run-program"),
    );
    expect(last.output).toContain("you sent [redacted] or [redacted]");

    if (isLong) {
      const { code, output } = await run(label(0, "destroy"), as(0), () => project.destroy("--run-program"));
      expect([code, code === 0 ? "" : output.slice(-3_000)]).toEqual([0, ""]);
    }

    const [loudly, quietly] = [printed.filter(isLoud), printed.filter((each) => !isLoud(each))];
    const files = await written();
    expect(secrets.size).toBeGreaterThan(3);
    expect(loudly).toHaveLength(isLong ? 3 * (round + 1) : 2);
    expect(found([...printed, ...files], secrets)).toEqual([]);
    // Secrets of a resource pass through the engine, which prints them itself at its debug level.
    const atRest = files.filter(([where]) => !/emulator|events\.json$/.test(where));
    expect(found([...quietly, ...atRest], plantedValues)).toEqual([]);
    await writeFigures("secrets", {
      commands: printed.length,
      tokens: secrets.size,
      files: files.length,
      charactersSearched: [...printed, ...files].reduce((sum, [, text]) => sum + text.length, 0),
      printedByTheEngineItself: found(loudly, plantedValues),
    });
  },
);

/** True for what a command prints at the highest verbosity. */
function isLoud([, output]: [string, string]): boolean {
  return output.includes('"v":9');
}
