/** Blocks that another test plays, read from the page, with that test. */
export const playedElsewhere: Readonly<Record<string, string>> = {
  "README.md#a-first-program": "tests/docs/first-program.long.test.ts",
  "README.md#a-first-program/2": "tests/docs/first-program.long.test.ts",
  "README.md#a-first-program/3": "tests/docs/first-program.long.test.ts",
  "docs/guides/pipelines.md#the-package": "tests/docs/first-program.long.test.ts",
  "docs/commands/init.md#init": "tests/engine/commands/init.test.ts",
};

/** Blocks that no test plays, with the reason and the nearest thing that is tested. */
export const notRun: Readonly<Record<string, string>> = {
  "docs/guides/pipelines.md#the-package/2": "It publishes to a registry of the reader.",
  "docs/guides/from-terraform.md#convert-the-configuration": "It needs the converter, of which the tests have none.",
  "docs/guides/policy.md#policies":
    "The CLI must be a full installation, which the tests do not have. tests/engine/commands/policy-pack.test.ts runs the pack.",
  "docs/guides/rehearsed-updates.md#signatures": "It asks GitHub for an attestation.",
  "docs/guides/rehearsed-updates.md#signatures/2": "It needs cosign, a token of a pipeline, and the services of sigstore.dev.",
  "docs/guides/rehearsed-updates.md#signatures/3":
    "It needs cosign. Tried by hand with cosign 3.1.3: a changed file and another key are rejected.",
  "docs/native.md#verify-a-download": "It asks GitHub about a release that is published.",
  "docs/native.md#from-an-empty-folder-to-up":
    "It needs Python and its packages. `npm run test:languages` runs programs in Python.",
  "docs/native.md#from-an-empty-folder-to-up/2": "It needs Go, and its host. `npm run test:languages` runs programs in Go.",
  "docs/native.md#from-an-empty-folder-to-up/3":
    "It needs Maven, and its packages. `npm run test:languages` runs programs in Java.",
  "docs/native.md#from-an-empty-folder-to-up/4": "It needs the host of YAML. `npm run test:languages` runs examples/yaml.",
  "docs/resources/identity.md#github-repositories": "It asks GitHub about a repository of the reader.",
};
