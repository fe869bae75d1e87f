import { type Emulator, startEmulator } from "../../emulator";
import { parseAnswer } from "../../provider/client/answer";
import { send } from "../../provider/client/http";
import { createTokenSource } from "../../provider/credentials";
import { configuration } from "./support";
import { expectFailure } from "../support/failures";

describe("against the emulator, which verifies signatures and claims", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ port: 0 });
  });
  afterAll(() => emulator.close());

  const settingsOf = (environment: Record<string, string>) =>
    configuration(emulator.baseUrl, {
      PLATFORM_AUTH_URL: emulator.authUrl,
      PLATFORM_IDENTITY: emulator.identity,
      ...environment,
    });

  test("an exchanged token is accepted by the API", async () => {
    const token = await createTokenSource(settingsOf({ PLATFORM_OIDC_TOKEN_FILE: emulator.oidcTokenFile })).token();
    const url = new URL(`${emulator.baseUrl}/iam/v2beta1/groups/${emulator.organization}`);
    const answer = await send({ method: "GET", url, headers: { authorization: `Bearer ${token}` }, timeoutMs: 10_000 });
    expect(parseAnswer(answer, "GET")).toMatchObject({ uid: emulator.organization });
  });

  test("a subject that the identity does not match is an error that tells the subject and the identity", async () => {
    const minted = await fetch(`${emulator.adminUrl}/oidc-tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ subject: "somebody-else" }),
    });
    const { token } = (await minted.json()) as { token: string };
    const error = await expectFailure(
      createTokenSource(settingsOf({ PLATFORM_OIDC_TOKEN: token })).token(),
      "CREDENTIALS",
      'subject "somebody-else"',
      `identity to assume is ${emulator.identity}`,
    );
    expect(error.message).not.toContain(token);
  });
});
