import type { Holder } from "../../access/holders";
import { personInWords } from "../../access/prose/person";

const uid = "5".repeat(40);
const okta = "https://okta.acme.example";
const eva = { issuer: okta, subject: "eva" };
const loggedIn = (claimMatch: object, more: Holder = {}): Holder => ({ uid, login: { claimMatch }, ...more });

test.each<[string, Holder, string | undefined]>([
  ["subject and issuer", loggedIn(eva), "eva (okta.acme.example)"],
  [
    "the issuer with its path, which may say whose it is",
    loggedIn({ ...eva, issuer: `${okta}/one` }),
    "eva (okta.acme.example/one)",
  ],
  ["an issuer without TLS as it is", loggedIn({ ...eva, issuer: "http://okta" }), "eva (http://okta)"],
  [
    "the verified address first",
    loggedIn(eva, { verifiedEmail: "eva@acme.example" }),
    "eva@acme.example (eva at okta.acme.example)",
  ],
  [
    "the account at a known issuer",
    loggedIn({ issuer: "https://accounts.google.com", subject: "1042" }, { verifiedEmail: "eva@acme.example" }),
    "eva@acme.example (Google account 1042)",
  ],
  [
    "what could pass for other words in quotes",
    loggedIn({ ...eva, subject: "eva (okta) becomes" }),
    '"eva (okta) becomes" (okta.acme.example)',
  ],
  ["the self-chosen name not at all", loggedIn(eva, { path: "mallory" }), "eva (okta.acme.example)"],
  ["no identity in a group", { ...loggedIn(eva), uid: `${uid}/0123456789abcdef` }, undefined],
  ["nobody of whom only the uid is known", { uid }, undefined],
  ["nobody whose subject is a pattern", loggedIn({ issuer: okta, subjectPattern: "^e.*$" }), undefined],
  ["nobody who needs further claims", loggedIn({ ...eva, claims: { team: "a" } }), undefined],
])("a person is called by %s", (_what, holder, words) => {
  expect(personInWords(holder)).toBe(words);
});
