import { ApiTokens } from "../../emulator/auth/api-tokens";
import { builtInRoleUid } from "../../emulator/auth/built-in-roles";
import { IssuerKeys } from "../../emulator/auth/issuer-keys";
import { OidcIssuer } from "../../emulator/auth/oidc-issuer";
import { Routes } from "../../emulator/api/routes";
import { seed } from "../../emulator/seed/seed";
import { type Handlers, HttpServer } from "../../emulator/serving/server";
import { Settings } from "../../emulator/settings/settings";
import { Database } from "../../emulator/storage/database";
import { Store } from "../../emulator/storage/store";
import { jsonAnswer } from "../../emulator/wire/http";
import { PageTokens } from "../../emulator/wire/page-token";
import { call } from "../support/test-platform";

const settings = new Settings();

const ordinary: Handlers = {
  routes: { handle: () => Promise.resolve(jsonAnswer(200, {})) },
  admin: { handle: () => Promise.resolve(jsonAnswer(200, {})) },
  faults: { take: () => undefined },
  log: { add: () => undefined },
  settings,
};

describe("whatever is thrown, a request ends in an answer, and its cause is on stderr", () => {
  let written: string;
  beforeEach(() => {
    written = "";
    jest.spyOn(process.stderr, "write").mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const causes: [string, unknown, RegExp][] = [
    ["an error", new Error("the cause"), /the cause\n {4}at /],
    ["a text", "the cause", /the cause/],
    ["nothing", undefined, /undefined/],
    ["an object without a prototype", Object.create(null), /null prototype/],
  ];
  const places: [string, string, (fail: () => never) => Partial<Handlers>][] = [
    ["the routes", "/iam/v2/groups", (fail) => ({ routes: { handle: fail } })],
    ["the admin API", "/admin/settings", (fail) => ({ admin: { handle: fail } })],
    ["the faults", "/iam/v2/groups", (fail) => ({ faults: { take: fail } })],
    ["the request log", "/iam/v2/groups", (fail) => ({ log: { add: fail } })],
    ["the clock", "/iam/v2/groups", (fail) => ({ settings: { values: settings.values, now: fail, timestamp: fail } })],
    [
      "the clock, in the admin API",
      "/admin/settings",
      (fail) => ({ settings: { values: settings.values, now: fail, timestamp: fail } }),
    ],
  ];
  test.each(
    places.flatMap(([place, path, broken]) => causes.map(([what, ...cause]) => [place, path, what, broken, ...cause] as const)),
  )("%s (%s) throws %s", async (_place, path, _what, broken, thrown, logged) => {
    const server = await HttpServer.listen(0);
    const fail = () => {
      throw thrown;
    };
    server.attach({ ...ordinary, ...broken(fail) });
    const { status, body } = await call("GET", `http://127.0.0.1:${server.port}${path}`);
    expect({ status, body }).toMatchObject({ status: 500, body: { code: 13, details: [{ reason: "INTERNAL" }] } });
    expect(written).toMatch(logged);
    await server.close();
  });
});

test("a request is answered by what its caller may do when it is carried out, not when it arrived", async () => {
  const [database, addresses] = [
    new Database(":memory:"),
    {
      ...{ baseUrl: "http://127.0.0.1", authUrl: "http://127.0.0.1", audience: "http://127.0.0.1" },
      ...{ issuer: "http://127.0.0.1/issuer", adminUrl: "" },
    },
  ];
  const store = new Store(database);
  const { organization, identity } = seed(database, store, addresses.issuer, "minimal");
  const issuer = await OidcIssuer.open(database, addresses, settings);
  const apiTokens = await ApiTokens.open(database, addresses, settings, store);
  const pageTokens = new PageTokens("secret", () => settings.now());
  const services = { addresses, settings, store, issuer, pageTokens, apiTokens, seededIdentity: identity };
  const routes = new Routes(services, new IssuerKeys(issuer));
  const { token } = await apiTokens.issue(identity, [addresses.baseUrl]);
  const request = (method: string, path: string, body = "") =>
    routes.handle({ method, path, query: "", authorization: `Bearer ${token}`, contentType: "", body });

  // So that its signature is known, and neither request below waits for it.
  expect(await request("GET", `/iam/v2/groups/${organization}`)).toMatchObject({ status: 200 });
  const [binding] = store.select("roleBindings", [{ sql: "role = ?", values: [builtInRoleUid("owner")] }]);
  const answers = await Promise.all([
    request("DELETE", `/iam/v2/roleBindings/${binding?.uid ?? ""}`),
    request("POST", `/iam/v2/groups/${organization}`, '{"name":"late"}'),
  ]);
  database.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
});
