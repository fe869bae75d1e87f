import { compile } from "../docs/compiler";

const snippets: [string, boolean][] = [
  ['githubActions({ repository: "a/b", branch: "main" })', true],
  ['githubActions({ repository: "a/b", pullRequest: true })', true],
  ['gitlabCi({ project: "a/b", tag: "v1", server: "https://git.example", audience: "c" })', true],
  ['githubActions({ repository: "a/b", tags: "v*", audience: "c" })', true],
  ['githubActions({ repository: "a@1/b@2", formerly: "a/b", branch: "main" })', true],
  ['githubActions({ repository: "a@1/b@2", formerly: "a/b", tags: "v*" })', true],
  ['githubActions({ repository: "a@1/b@2", formerly: undefined, branch: "main" })', false],
  ['githubActions({ repository: "a@1/b@2", formerly: "a/b" })', false],
  ['githubActions({ repository: "a/b", branch: "main", audience: undefined })', false],
  ['githubActions({ repository: "a/b" })', false],
  ['githubActions({ repository: "a/b", branch: "main", tag: "v1" })', false],
  ['githubActions({ repository: "a/b", branch: "main", pullRequest: true })', false],
  ['githubActions({ repository: "a/b", branch: undefined })', false],
  ['githubActions({ repository: "a/b", enviroment: "prod" })', false],
  ['githubActions({ repository: "a/b", branch: "main", enviroment: "prod" })', false],
  ['githubActions({ repository: "a/b", pullRequest: false })', false],
  ['githubActions({ branch: "main" })', false],
  ['gitlabCi({ project: "a/b" })', false],
  ['gitlabCi({ project: "a/b", branch: "main", tag: "v1" })', false],
  ['gitlabCi({ project: "a/b", branch: "main", environment: "prod" })', false],
];

test("the compiler rejects exactly the claims that are rejected when the program runs", () => {
  const messages = compile(
    snippets.map(([call], index) => ({
      origin: `[${index}]`,
      text: `import { githubActions, gitlabCi } from "pulumi-platform";\nvoid [githubActions, gitlabCi];\nexport const made = ${call};\n`,
    })),
  );
  const refused = snippets.filter((_, index) => messages.some((message) => message.startsWith(`[${index}]:`)));
  expect(refused).toEqual(snippets.filter(([, isFine]) => !isFine));
});
