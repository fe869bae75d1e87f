import { errorTexts, undecidedIn } from "../../../cli/rehearse/undecided";
import { group as groups } from "../../../provider/kinds/group";
import { pluginDownloadUrl, version } from "../../../provider/client/version";
import { inTwoUpdates } from "../../../provider/resources/checking/moving-keys";
import type { StackSource, StateResource } from "../../../rehearse/private-stack";
import type { Outcome } from "../../../rehearse/rehearsal";

const urn = (type: string, name: string) => `urn:pulumi:live::access::${type}::${name}`;
const resource = (type: string, name: string, more: object = {}): StateResource => ({ urn: urn(type, name), type, ...more });
const group = "platform:iam:Group";
const bucket = "aws:s3/bucket:Bucket";

const outcomeOf = (more: Partial<Outcome> = {}): Outcome => ({
  ...{ code: 0, errors: [], output: "", resources: [], told: [], isSandboxed: true },
  others: { invented: new Set(), refused: new Set() },
  ...more,
});
const sourceOf = (...resources: StateResource[]): StackSource => ({
  ...{ project: "access", stack: "live", configured: {}, packages: [], referred: new Map() },
  state: { version: 3, deployment: { resources } },
});
const failed = (message: string, of?: string) =>
  outcomeOf({ code: 1, errors: [{ message, ...(of !== undefined && { urn: of }) }] });
const hooked = { resourceHooks: { beforeCreate: [], afterUpdate: ["tell"] } };

test.each<[what: string, reason: RegExp, outcome: Outcome, before?: StateResource[]]>([
  [
    "the function aws:index/getRegion:getRegion",
    /another package/,
    outcomeOf({ others: { invented: new Set(), refused: new Set(["function aws:index/getRegion:getRegion"]) } }),
  ],
  [
    "what mine does",
    /a text in the program/,
    outcomeOf({ told: [{ refused: { urn: urn("pulumi-nodejs:dynamic:Resource", "mine") } }] }),
  ],
  ["the provider x", /by a command/, outcomeOf({ told: [{ undecided: { what: "the provider x", reason: "by a command" } }] })],
  ["what the hooks of team do", /option `hooks`/, outcomeOf({ resources: [resource(group, "team", hooked)] })],
  ["what the hooks of former do", /option `hooks`/, outcomeOf(), [resource(group, "former", hooked)]],
  [
    "what the hooks of stays do",
    /option `hooks`/,
    outcomeOf({ resources: [resource(group, "stays", hooked)] }),
    [resource(group, "stays", hooked)],
  ],
  [
    "what team becomes",
    /depends on logs of another package/,
    outcomeOf({
      resources: [resource(bucket, "logs"), resource(group, "team", { dependencies: [urn(bucket, "logs")] })],
      others: { invented: new Set([urn(bucket, "logs")]), refused: new Set() },
    }),
  ],
  [
    "what the resources of provider default_0_0_1 become",
    /another version of the plugin/,
    outcomeOf({ resources: [resource("pulumi:providers:platform", "default_0_0_1", { inputs: { version: "0.0.1" } })] }),
  ],
  ["the outputs of the stack of shared", /not copied/, failed("unknown stack", urn("pulumi:pulumi:StackReference", "shared"))],
  ["the resources of random", /Install the SDK/, failed("no resource plugin 'random' found in the workspace or on your $PATH")],
  [
    "the requests to https://other.example",
    /only the platform of the stack/,
    failed("https://other.example has no copy in this rehearsal"),
  ],
  [
    'whether another resource takes the place of "former"',
    /the order in which the engine works/,
    failed(`create group "ops": it already exists. ${inTwoUpdates(groups, { name: "ops" }, `${group}::former`)}`),
  ],
  [
    "the identity 562a8ecb166c6d76086e98415898d523c29c11fd",
    /identityRef/,
    failed('INVALID_ARGUMENT: identity_uid: identity "562a8ecb166c6d76086e98415898d523c29c11fd" does not exist [identity_uid]'),
  ],
  ["a part of the program, which failed with ENOTFOUND", /--no-sandbox/, failed("Error: getaddrinfo ENOTFOUND api.example")],
])("%s is undecided, by name and with the way out", (what, reason, outcome, before = []) => {
  expect(undecidedIn(outcome, sourceOf(...before))).toEqual([{ what, reason: expect.stringMatching(reason) as string }]);
});

test("what an unchanged update of this package does is decided, whatever other packages made up", () => {
  const others = { invented: new Set([urn(bucket, "logs")]), refused: new Set<string>() };
  const hooks = { resourceHooks: { beforeCreate: [] } };
  const resources = [
    resource(bucket, "logs"),
    resource(bucket, "copy", { dependencies: [urn(bucket, "logs")] }),
    resource(group, "team", hooks),
  ];
  expect(undecidedIn(outcomeOf({ resources, others }), sourceOf(...resources))).toEqual([]);
  expect(undecidedIn(failed("create group team: KEY_TAKEN", urn(group, "team")), sourceOf())).toEqual([]);
});

test("errors have the name of their resource, and without any the end of the output stands for them", () => {
  expect(errorTexts(failed("create group team: taken", urn(group, "team")))).toEqual(["team: create group team: taken"]);
  expect(errorTexts(failed("the program fails", urn("pulumi:pulumi:Stack", "access-live")))).toEqual(["the program fails"]);
  expect(errorTexts({ code: 255, errors: [], output: "1\n2\n3\n4\n5\nthe engine is too old\n" })).toEqual([
    "`pulumi` ended with exit code 255. 2 3 4 5 the engine is too old.",
  ]);
  expect(errorTexts({ code: 0, errors: [], output: "done" })).toEqual([]);
});

test("a provider of this release, and those of other packages, whatever their release, are decided", () => {
  const inputs = { version, ...(pluginDownloadUrl !== undefined && { pluginDownloadURL: pluginDownloadUrl }) };
  const own = [inputs, { ...inputs, __internal: inputs }, {}].map((each) =>
    resource("pulumi:providers:platform", "default", { inputs: each }),
  );
  const others = resource("pulumi:providers:aws", "default", { inputs: { version: "7.0.0" } });
  expect(undecidedIn(outcomeOf({ resources: [...own, others] }), sourceOf())).toEqual([]);
});
