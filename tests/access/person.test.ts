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
  ["an issuer without TLS in quotes", loggedIn({ ...eva, issuer: "http://okta" }), 'eva ("http://okta")'],
  ["an issuer without a scheme in quotes", loggedIn({ ...eva, issuer: "okta.acme.example" }), 'eva ("okta.acme.example")'],
  [
    "every part of the subject",
    loggedIn({ issuer: "https://oidc.circleci.com/org/a", subject: "org/a/project/p/user/eva" }),
    "org/a/project/p/user/eva (oidc.circleci.com/org/a)",
  ],
  ["blank characters spelled out", loggedIn({ ...eva, subject: "eva\u2800(okta)" }), '"eva\\u{2800}(okta)" (okta.acme.example)'],
  ["invisible characters spelled out", loggedIn({ ...eva, subject: "eva\u034f" }), '"eva\\u{34f}" (okta.acme.example)'],
  [
    "the verified address first",
    loggedIn(eva, { verifiedEmail: "eva@acme.example" }),
    "eva@acme.example (eva at okta.acme.example)",
  ],
  [
    "the subject, whatever the issuer",
    loggedIn({ issuer: "https://accounts.google.com", subject: "1042" }, { verifiedEmail: "eva@acme.example" }),
    "eva@acme.example (1042 at accounts.google.com)",
  ],
  [
    "what could pass for other words in quotes",
    loggedIn({ ...eva, subject: "eva (okta) becomes" }),
    '"eva (okta) becomes" (okta.acme.example)',
  ],
  ["the self-chosen name not at all", loggedIn(eva, { path: "mallory" }), "eva (okta.acme.example)"],
  ["no identity in a group", { ...loggedIn(eva), uid: `${uid}/0123456789abcdef` }, undefined],
  ["nothing, who may be no person", { uid }, undefined],
  [
    "the uid, and why, where nothing else is known",
    { uid, isUnseen: true },
    `${uid} (a person who has not signed up, or is not visible)`,
  ],
  ["nobody whose subject is a pattern", loggedIn({ issuer: okta, subjectPattern: "^e.*$" }), undefined],
  ["nobody who needs further claims", loggedIn({ ...eva, claims: { team: "a" } }), undefined],
])("a person is called by %s", (_what, holder, words) => {
  expect(personInWords(holder)).toBe(words);
});
