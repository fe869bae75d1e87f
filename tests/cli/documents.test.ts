import Ajv from "ajv";
import type { AccessDocument } from "../../cli/documents/access";
import { documentSchemas } from "../../cli/documents";
import { printDocument } from "../../cli/documents/document";

const grant: AccessDocument["grants"][number] = {
  identity: { uid: "r/i", path: "acme/ci", login: { claimMatch: { issuer: "https://issuer.example" } } },
  role: { uid: "viewer", name: "viewer", capabilities: [] },
  at: { uid: "r/e", path: "acme/engineering" },
  inheritedFrom: { uid: "r", path: "acme" },
  through: { kind: "roleBinding", uid: "r/b" },
};

test("every schema is one: draft 7, with a title and a description, and open for members to come", () => {
  for (const [name, schema] of Object.entries(documentSchemas())) {
    expect(new Ajv({ strict: true }).validateSchema(schema as object)).toBe(true);
    expect(schema).toMatchObject({ title: name, description: expect.stringMatching(`pulumi-platform .*${name}`) as string });
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
  }
});

test("a printed document is one JSON text with its version, and fits its schema", () => {
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  printDocument<AccessDocument>({ grants: [grant], unreadable: [] });
  const text = String(write.mock.calls[0]?.[0]);
  write.mockRestore();
  expect(JSON.parse(text)).toEqual({ version: 1, grants: [grant], unreadable: [] });
  expect(new Ajv().validate(documentSchemas()["access"] as object, JSON.parse(text))).toBe(true);
});
