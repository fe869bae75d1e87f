import { refusal, useBench } from "./support";

const bench = useBench();

const claimMatch = { issuer: "https://issuer.example", subject: "someone" };

test.each(["groups", "identities"])("the name of one of %s is lower case without a slash", async (collection) => {
  for (const name of [undefined, "", "Upper", "a/b", "a\n", "ü"]) {
    expect(await bench.api("POST", `/iam/v2/${collection}/${bench.root}`, { name, claimMatch: undefined })).toMatchObject({
      status: 400,
      body: {
        code: 3,
        message: expect.stringMatching(/^Invalid argument: /) as unknown,
        details: [
          {
            "@type": expect.stringMatching(/ErrorInfo$/) as unknown,
            reason: "INVALID_ARGUMENT",
            domain: expect.stringMatching(/^iam\./) as unknown,
          },
          {
            "@type": expect.stringMatching(/BadRequest$/) as unknown,
            fieldViolations: expect.arrayContaining([
              expect.objectContaining({ field: "name", description: 'name must match "^[a-z0-9 ._-]{1,}$"' }),
            ]) as unknown,
          },
        ],
      },
    });
  }
});

test("what is not found is named", async () => {
  const absent = `${bench.root}/0123456789abcdef`;
  for (const method of ["GET", "PATCH", "DELETE"]) {
    expect(await bench.api(method, `/iam/v2/identities/${absent}`, method === "PATCH" ? {} : undefined)).toMatchObject({
      status: 404,
      body: {
        code: 5,
        details: [
          { reason: "NOT_FOUND", domain: expect.stringMatching(/^iam\./) as unknown },
          { "@type": expect.stringMatching(/ResourceInfo$/) as unknown, resourceType: "identity", resourceName: absent },
        ],
      },
    });
  }
});

test("a hidden object is not found in the same words as one that does not exist", async () => {
  await bench.settings({ denials: "hidden" });
  const token = await bench.tokenOf(await bench.someone("guest"));
  const hidden = await bench.group("hidden");
  const absent = `${bench.root}/0123456789abcdef`;
  const [found, missing] = [hidden, absent].map((uid) => bench.api("GET", `/iam/v2/groups/${uid}`, undefined, token));
  expect((await found)?.text.replaceAll(hidden, absent)).toBe((await missing)?.text);
});

describe("lookupIdentity", () => {
  const lookUp = (subject: string, token?: string) =>
    bench.api(
      "GET",
      `/iam/v2/identities:lookupIdentity?issuer=https%3A%2F%2Fissuer.example&subject=${subject}`,
      undefined,
      token,
    );

  test("finds a registered identity, for any caller", async () => {
    const { uid } = await bench.ok("POST", `/iam/v2/identities/${bench.root}`, { name: "someone", claimMatch });
    const nobody = await bench.tokenOf(await bench.someone("nobody"));
    expect(await lookUp("someone", nobody)).toMatchObject({ status: 200, body: { uid } });
    expect(await lookUp("someone", "")).toMatchObject({ status: 401 });
  });

  test("gives a person who never logged in the uid that they will have, to be bound with", async () => {
    const { body } = await lookUp("new-colleague");
    expect(body["uid"]).toMatch(/^[0-9a-f]{40}$/);
    expect((await lookUp("new-colleague")).body).toEqual(body);
    const roleUid = await bench.role("viewer");
    const binding = await bench.ok("POST", `/iam/v2/roleBindings/${bench.root}`, { identityUid: body["uid"], roleUid });
    expect(binding).toMatchObject({ identity: { uid: body["uid"], subject: "new-colleague", issuer: "https://issuer.example" } });
    expect((await bench.api("GET", `/iam/v2/identities/${String(body["uid"])}`)).status).toBe(404);
  });

  test.each(["", "issuer=x", "subject=x"])("needs issuer and subject: %s", async (query) => {
    expect(await bench.api("GET", `/iam/v2/identities:lookupIdentity?${query}`)).toMatchObject(refusal.invalid);
  });
});

test("READMEs are read by viewers and written by the platform's own staff only", async () => {
  const { repos } = await bench.ok("GET", "/registry/v2/repos?name=shell");
  const [repo] = repos as { uid: string }[];
  const path = `/registry/v2/repos/${String(repo?.uid)}/readme`;
  expect(await bench.ok("GET", path)).toEqual({ uid: repo?.uid, content: "" });
  expect(await bench.api("PATCH", path, { content: "# Mine" })).toMatchObject(refusal.denied);
});
