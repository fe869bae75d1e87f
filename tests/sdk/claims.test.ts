import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { type ExactClaims, githubActions, gitlabCi } from "../../sdk";
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
const [actions, ci] = [githubActions as Untyped, gitlabCi as Untyped];

const [repository, project] = ["acme/shop", "acme/shop"];
const oneOfFour = "set exactly one of branch, tag, environment, pullRequest and tags";

describe("what could admit more than intended is rejected", () => {
  test.each<[Untyped, unknown, string]>([
    // No choice, or several.
    [actions, { repository }, oneOfFour],
    [actions, { repository, branch: "main", tag: "v1" }, `${oneOfFour}, not branch and tag.`],
    [actions, { repository, environment: "prod", pullRequest: true }, `${oneOfFour}, not environment and pullRequest.`],
    [actions, { repository, branch: "main", tag: undefined }, `${oneOfFour}, not branch and tag.`],
    [actions, { repository, pullRequest: false }, "pullRequest must be true, or left out."],
    [actions, { repository, pullRequest: "yes" }, "pullRequest must be true, or left out."],
    [actions, { repository, branch: "main", enviroment: "prod" }, 'did you mean "environment"?'],
    [ci, { project }, "gitlabCi: set exactly one of branch, tag and tags."],
    [ci, { project, branch: "main", tag: "v1" }, "set exactly one of branch, tag and tags, not branch and tag."],
    [ci, { project, branch: "main", environment: "prod" }, '"environment" is not an argument of this function'],
    [actions, undefined, "repository has no value."],
    [ci, null, "project has no value."],
    [actions, "acme/shop", "the arguments must be one object"],
    // Without a value.
    [actions, { repository, branch: undefined }, "branch has no value."],
    [actions, { repository, tag: null }, "tag has no value."],
    [actions, { repository, environment: "" }, "environment must not be empty."],
    [actions, { repository, branch: "  " }, "branch must not be empty."],
    [actions, { repository, branch: 7 }, "branch must be a string."],
    [ci, { project, tag: undefined }, "tag has no value."],
    [ci, { project, branch: "main", server: undefined }, "server has no value."],
    [actions, { repository, branch: "main", audience: undefined }, "audience has no value."],
    [ci, { project, branch: "main", audience: "" }, "audience must not be empty."],
    [ci, { project, branch: "main", server: "" }, "server must be an https address"],
    // Not known yet.
    [
      actions,
      { repository: pulumi.output("acme/shop"), branch: "main" },
      "repository is an output: call this function inside its apply()",
    ],
    [ci, { project, branch: Promise.resolve("main") }, "branch is a promise: await it first"],
    // Refs.
    [actions, { repository, branch: "refs/heads/main" }, 'branch must be the plain name, "main" and not "refs/heads/main".'],
    [actions, { repository, tag: "refs/tags/v1" }, 'tag must be the plain name, "v1" and not "refs/tags/v1".'],
    [actions, { repository, branch: "refs/" }, 'branch must be the plain name, and not "refs/".'],
    [actions, { repository, branch: "refs/pull/1/merge" }, 'branch must be the plain name, and not "refs/pull/1/merge".'],
    [ci, { project, branch: "refs/heads/main" }, 'branch must be the plain name, "main" and not "refs/heads/main".'],
    // Patterns, which the subject does not know.
    [actions, { repository, branch: "*" }, "branch is compared exactly"],
    [actions, { repository, branch: "release-?" }, "branch is compared exactly"],
    [actions, { repository, environment: "prod*" }, "environment is compared exactly"],
    [actions, { repository: "acme/*", branch: "main" }, "repository is compared exactly"],
    [ci, { project: "acme/*", branch: "main" }, "project is compared exactly"],
    [ci, { project, tag: "v*" }, "tag is compared exactly"],
    // Places.
    ...["shop", "acme/", "/shop", "acme/shop/x", "acme//shop", " acme/shop", "acme/shop\n"].map(
      (place): [Untyped, unknown, string] => [actions, { repository: place, branch: "main" }, "repository "],
    ),
    ...["https://github.com/acme/shop", "acme/shop.git", "acme:x/shop", "acme@1/shop", "acme/shop@2", "-a/b"].map(
      (place): [Untyped, unknown, string] => [actions, { repository: place, branch: "main" }, "repository must be owner/name"],
    ),
    ...["shop", "acme/", "/acme/shop", "acme//shop", "acme/shop/-/tree/main", "acme/shop:ref_type:tag", "acme/shop.git"].map(
      (place): [Untyped, unknown, string] => [ci, { project: place, branch: "main" }, "project must be the full path"],
    ),
    ...["http://git.example", "git.example", "https://", "https://a@git.example", "https://g/?x", "https://g/#x"].map(
      (server): [Untyped, unknown, string] => [ci, { project, branch: "main", server }, "server "],
    ),
  ])("%p %j", (call, args, expected) => {
    const message = refusalOf(() => call(args));
    expect(message).toContain(expected);
    expect(message.startsWith(call === actions ? "githubActions: " : "gitlabCi: ")).toBe(true);
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
