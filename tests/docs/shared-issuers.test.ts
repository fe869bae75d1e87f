import { sharedIssuers } from "../../provider/schema/shared-issuers";
import { shown } from "../../provider/schema/login-limits";
import { tableRows } from "./markdown";

test("docs/resources/identity.md has every shared issuer, with the forms that name a customer and its source", () => {
  const documented = tableRows("docs/resources/identity.md").filter(([issuer]) => issuer?.startsWith("`https://"));
  const code = (text: string) => `\`${text}\``;
  const form = (text: string) => (text === "*" ? "the whole subject" : text === "#" ? "a number" : code(shown(text)));
  const expected = sharedIssuers.map(({ issuer, who, source, subjects = [], claims = {} }) => [
    code(shown(issuer)),
    `[${who}](${source})`,
    issuer.includes("*") && subjects.length === 0 ? "the issuer" : subjects.map(form).join(", "),
    Object.keys(claims).map(code).join(", "),
  ]);
  expect(documented).toEqual(expected);
});
