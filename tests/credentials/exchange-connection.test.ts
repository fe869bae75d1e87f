import { createTokenSource } from "../../provider/credentials";
import { cleanUp, configuration, deadAddress, goodOidcToken, startServer } from "./support";

const mockWaits: (() => Promise<unknown>)[] = [];

/** The wait between two attempts takes no time; something happens in it instead. */
jest.mock("node:timers/promises", () => ({ setTimeout: () => mockWaits.shift()?.() ?? Promise.resolve() }));

afterEach(cleanUp);

test("an exchange that never connected is sent again", async () => {
  const address = await deadAddress();
  let seen: unknown[] = [];
  mockWaits.push(async () => {
    ({ seen } = await startServer(() => ({ body: { token: "api-token-1" } }), Number(new URL(address).port)));
  });
  const settings = configuration(address, { PLATFORM_OIDC_TOKEN: goodOidcToken() });
  expect(await createTokenSource(settings).token()).toBe("api-token-1");
  expect(seen).toHaveLength(1);
});
