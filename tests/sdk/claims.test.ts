import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import * as sdk from "../../sdk";
import { type ExactClaims, githubActions, gitlabCi } from "../../sdk";
import { refusals, refusalsOfPrograms } from "./claim-refusals";
import { refusalOf } from "./support";

const github = "https://token.actions.githubusercontent.com";

test.each<[string, ExactClaims, string, string]>([
  ["branch", githubActions({ repository: "acme/shop", branch: "main" }), github, "repo:acme/shop:ref:refs/heads/main"],
  [
    "branch with slashes",
    githubActions({ repository: "acme/shop", branch: "release/1.x" }),
    github,
    "repo:acme/shop:ref:refs/heads/release/1.x",
  ],
  ["tag", githubActions({ repository: "acme/shop", tag: "v1" }), github, "repo:acme/shop:ref:refs/tags/v1"],
  ["environment", githubActions({ repository: "acme/shop", environment: "prod" }), github, "repo:acme/shop:environment:prod"],
  [
    "environment with a colon, which GitHub escapes",
    githubActions({ repository: "acme/shop", environment: "Prod: EU:1" }),
    github,
    "repo:acme/shop:environment:Prod%3A EU%3A1",
  ],
  ["pull request", githubActions({ repository: "acme/shop", pullRequest: true }), github, "repo:acme/shop:pull_request"],
  [
    "repository whose subject holds the ids of owner and repository",
    githubActions({ repository: "octo_acme@123456/shop.js@456789", branch: "main" }),
    github,
    "repo:octo_acme@123456/shop.js@456789:ref:refs/heads/main",
  ],
  [
    "GitLab branch",
    gitlabCi({ project: "acme/web/shop", branch: "main" }),
    "https://gitlab.com",
    "project_path:acme/web/shop:ref_type:branch:ref:main",
  ],
  [
    "GitLab tag of another server",
    gitlabCi({ project: "acme/shop", tag: "v1", server: "https://git.example:8443/gitlab" }),
    "https://git.example:8443/gitlab",
    "project_path:acme/shop:ref_type:tag:ref:v1",
  ],
  [
    "GitLab server with a slash behind it, which no issuer has",
    gitlabCi({ project: "acme/shop", tag: "v1", server: "https://git.example/" }),
    "https://git.example",
    "project_path:acme/shop:ref_type:tag:ref:v1",
  ],
])("the claims of a %s are those of its tokens", (_what, made, issuer, subject) => {
  expect(made).toEqual({ issuer, subject });
});

/** A helper as an untyped program calls it. */
type Untyped = (args?: unknown) => ExactClaims;
const actions = githubActions as Untyped;
const [repository, project] = ["acme/shop", "acme/shop"];

describe("what could admit more than intended is rejected", () => {
  test.each([...refusals, ...refusalsOfPrograms])("%s %j", (helper, args, expected) => {
    const call = (sdk as unknown as Record<string, Untyped>)[helper];
    const message = refusalOf(() => call?.(args));
    expect(message).toContain(expected);
    expect(message.startsWith(`${helper}: `)).toBe(true);
  });

  test.each(["a b", "a:b", "a..b", "a~1", "a^", "a[b", "a\\b", "/a", "a/", "a//b", "a."])(
    "%j, which git takes for no name",
    (branch) => {
      expect(refusalOf(() => githubActions({ repository, branch }))).toContain("branch is not a valid git name");
      expect(refusalOf(() => gitlabCi({ project, branch }))).toContain("branch is not a valid git name");
    },
  );

  test("everything that is wrong is reported at once", () => {
    const message = refusalOf(() => actions({ repository: "shop", branch: "", tga: "v1" }));
    expect(message).toContain("repository must be owner/name");
    expect(message).toContain("branch must not be empty.");
    expect(message).toContain('did you mean "tag"?');
  });
});

test("of any values that pass, the subject distinguishes each: no value can imitate another", () => {
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[a-z/:@.-]{1,12}$/),
    fc.constantFrom("main", "environment:x", "a:ref:refs/heads/b"),
  );
  const workflow = fc.record({
    repository: fc.oneof(fc.constantFrom("a/b", "a/b:environment"), text),
    selector: fc.constantFrom("branch", "tag", "environment"),
    value: text,
  });
  const subjects = new Map<string, string>();
  fc.assert(
    fc.property(workflow, ({ selector, value, repository: place }) => {
      const args = { repository: place, [selector]: value };
      let subject: string;
      try {
        ({ subject } = actions(args));
      } catch (error) {
        expect(pulumi.RunError.isInstance(error)).toBe(true);
        return;
      }
      const given = JSON.stringify(args);
      expect(subjects.get(subject) ?? given).toBe(given);
      subjects.set(subject, given);
      // repo, its value, the kind and its value: a colon of a value would begin another claim.
      expect(subject.split(":")).toHaveLength(4);
    }),
    { seed: 11, numRuns: 3_000 },
  );
  expect(subjects.size).toBeGreaterThan(50);
});
