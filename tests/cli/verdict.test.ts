import { type Use, verdictOn } from "../../cli/shell/verdict";

const [api, auth, evil] = ["https://api.example", "https://auth.example", "https://evil.example"];
const stack = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`platform:${name}`, value]));
const [base, token, oidc] = [{ PLATFORM_BASE_URL: api }, { PLATFORM_TOKEN: "t" }, { PLATFORM_OIDC_TOKEN: "t" }];
const actions = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://github.example", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t" };
const command = { PLATFORM_TOKEN_COMMAND: "print-token --for acme" };
const file = { oidcTokenFile: "/run/token" };

/** The verdicts for a review that runs the program, for one of a file, and for commands that only read. */
type Expected = readonly [program: string, file: string, read: string];
const always: Expected = ["ok", "ok", "ok"];
const never: Expected = ["error", "error", "error"];
const unnamed: Expected = ["ok", "error", "warning"];
const own: Expected = ["ok", "error", "ok"];

test.each<[string, Record<string, string> | undefined, Record<string, string>, Expected]>([
  ["no stack", undefined, { ...base, ...token }, always],
  ["a stack without settings", {}, { ...base, ...token }, always],
  // Addresses that the environment names.
  ["the same address", { baseUrl: api }, { ...base, ...token }, always],
  ["another form of it", { baseUrl: "https://API.example:443//" }, { ...base, ...token }, always],
  ["another address", { baseUrl: evil }, { ...base, ...token }, never],
  ["another port", { baseUrl: `${api}:444` }, { ...base, ...token }, never],
  ["another scheme", { baseUrl: "http://localhost" }, { PLATFORM_BASE_URL: "https://localhost", ...token }, never],
  ["another path", { baseUrl: `${api}/other` }, { ...base, ...token }, never],
  ["a subdomain", { baseUrl: "https://api.example.evil.example" }, { ...base, ...token }, never],
  ["another address, with credentials of the stack", { baseUrl: evil, ...file }, base, never],
  ["an address beside no address", { baseUrl: api }, { PLATFORM_BASE_URL: "api", ...token }, never],
  // The token-issuing address.
  ["both named", { baseUrl: api, authUrl: auth }, { ...base, PLATFORM_AUTH_URL: auth, ...oidc }, always],
  ["another token-issuing address", { authUrl: evil }, { ...base, PLATFORM_AUTH_URL: auth, ...oidc }, never],
  ["one that the environment names as API address", { authUrl: `${api}/` }, { ...base, ...oidc }, always],
  ["one that it does not name", { baseUrl: api, authUrl: auth }, { ...base, ...oidc }, never],
  ["one that it does not name, with the job's token", { authUrl: auth }, { ...base, ...actions }, never],
  ["one that it does not name, with a file of the stack", { authUrl: auth, ...file }, base, never],
  ["one that nothing is sent to", { baseUrl: api, authUrl: auth }, { ...base, ...token }, always],
  ["one that nothing is sent to, but another is named", { authUrl: evil }, { ...base, PLATFORM_AUTH_URL: auth, ...token }, never],
  ["one that is named without the API address", { baseUrl: api, authUrl: auth }, { PLATFORM_AUTH_URL: auth, ...oidc }, unnamed],
  ["one that is named, but another", { baseUrl: api, authUrl: evil }, { PLATFORM_AUTH_URL: auth, ...oidc }, never],
  // Addresses that only the stack names.
  ["an address for PLATFORM_TOKEN", { baseUrl: api }, token, unnamed],
  ["an address for PLATFORM_OIDC_TOKEN", { baseUrl: api }, oidc, unnamed],
  ["an address for PLATFORM_OIDC_TOKEN_FILE", { baseUrl: api }, { PLATFORM_OIDC_TOKEN_FILE: "/run/token" }, unnamed],
  ["an address for PLATFORM_TOKEN_COMMAND", { baseUrl: api }, command, unnamed],
  ["an address for the token of GitHub Actions", { baseUrl: api }, actions, unnamed],
  ["an address for a token that stands in for a file", { baseUrl: api, ...file }, oidc, unnamed],
  ["an address for a file that it names itself", { baseUrl: api, ...file }, {}, own],
  ["an address for a file, beside an unused token", { baseUrl: api, ...file }, token, own],
  ["an address and an empty variable", { baseUrl: api }, { PLATFORM_BASE_URL: " ", ...token }, unnamed],
  // Settings that make or choose a credential.
  ["a file for a named address", { baseUrl: api, ...file }, base, always],
  ["a command, and nothing in the environment", { baseUrl: api, tokenCommand: "print-token" }, {}, own],
  ["a command for a named address", { tokenCommand: "print-token" }, base, unnamed],
  ["a command beside a token", { tokenCommand: "print-token" }, { ...base, ...token }, unnamed],
  ["a command beside the token of GitHub Actions", { baseUrl: api, tokenCommand: "print-token" }, actions, unnamed],
  ["another command than the allowed one", { tokenCommand: "print-token --for acme; x" }, { ...base, ...command }, unnamed],
  ["the allowed command", { tokenCommand: " print-token --for acme" }, { ...base, ...command }, always],
  ["the allowed command and an unnamed address", { baseUrl: evil, tokenCommand: "print-token --for acme" }, command, own],
  // These choose no place: the credential goes to the named address alone.
  ["an audience", { audience: evil, oidcAudience: evil, identity: "a/b" }, { ...base, ...actions }, always],
])("%s", (_, configured, environment, expected) => {
  const uses: readonly Use[] = ["program", "file", "read"];
  const settings = configured && stack(configured);
  expect(uses.map((use) => verdictOn(settings, environment, use).is)).toEqual(expected);
});

const textOf = (configured: Record<string, string>, environment: Record<string, string>, use: Use) => {
  const verdict = verdictOn(stack(configured), environment, use);
  return verdict.is === "ok" ? "" : verdict.text;
};

test("an error says the cause first, and each way out on a line of its own", () => {
  const both = { baseUrl: "https://Evil.example:443/", authUrl: evil };
  expect(textOf(both, { ...base, PLATFORM_AUTH_URL: auth, ...oidc }, "read").split("\n")).toEqual([
    'The stack has another address than the environment of this run: platform:baseUrl is "https://evil.example", PLATFORM_BASE_URL is ' +
      '"https://api.example"; platform:authUrl is "https://evil.example", PLATFORM_AUTH_URL is "https://auth.example". Nothing was sent.',
    "- If the environment is right, correct platform:baseUrl and platform:authUrl of the stack, or remove it: " +
      "`pulumi config rm platform:baseUrl`, `pulumi config rm platform:authUrl`.",
    "- If the stack is right, set PLATFORM_BASE_URL and PLATFORM_AUTH_URL to its address.",
  ]);
  expect(textOf({ baseUrl: api, authUrl: auth }, oidc, "file")).toMatch(
    /Nothing was sent\.\n- Set PLATFORM_BASE_URL and PLATFORM_AUTH_URL in the environment, .*\n- .*--offline\.$/,
  );
  expect(textOf({ tokenCommand: "print-token" }, base, "file")).toMatch(
    /^platform:tokenCommand .*\n- Set PLATFORM_TOKEN_COMMAND to the same text/,
  );
});

test("a warning says what to set, and from when it is an error; no message has the text of a command, or credentials of an address", () => {
  expect(textOf({ baseUrl: api }, actions, "read")).toMatch(
    /GitHub Actions\. Set PLATFORM_BASE_URL beside them\. The next release makes this an error\.$/,
  );
  expect(textOf({ tokenCommand: "print-token hush" }, base, "read")).toMatch(/^(?!.*hush).*Set PLATFORM_TOKEN_COMMAND/);
  expect(textOf({ baseUrl: "https://user:hush@evil.example?hush#hush" }, base, "read")).not.toContain("hush");
});
