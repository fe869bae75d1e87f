export const issuer = "https://issuer.example";

/** Everybody who could have a token of the issuer. */
export const subjects = ["ann", "bob", "cat", "dan"];

/** How identities log in, by name. */
export const logins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ann: { issuer, subject: "ann" },
  bob: { issuer, subject: "bob" },
  annOrBob: { issuer, subjectPattern: "^(ann|bob)$" },
  bobOrCat: { issuer, subjectPattern: "^(bob|cat)$" },
  anyA: { issuer, subjectPattern: "^.a.$" },
  dan: { issuer, subject: "dan" },
  anybody: { issuer, subjectPattern: ".*" },
};
