import { compile } from "../docs/compiler";

/** The arguments of each singular data source: its uid, or its others. */
const singular: Record<string, string> = {
  getSubscription: 'parentUid: "a", sink: "https://b.example"',
  getExternalGroupRoleMapping: 'identityProviderUid: "a", externalGroupId: "b", roleUid: "c", scope: "d"',
  getIdentityProvider: 'name: "a"',
  getAdvisory: 'advisoryId: "a"',
  getGroup: 'name: "a", parentUid: "b"',
  getIdentity: 'name: "a"',
  getRepo: 'name: "a", parentUid: undefined',
  getRole: 'name: "a"',
  getRoleBinding: 'parentUid: "a", identityUid: "b", roleUid: "c"',
  getTag: 'name: "a", repoUid: "b"',
};

/** The arguments of each plural data source besides the common ones. */
const plural: Record<string, string> = {
  getGroupInvites: 'keyId: "a"',
  getAccountAssociations: 'name: "a"',
  getExternalGroupRoleMappings: 'identityProviderUid: "a"',
  getIdentityProviders: 'name: "a"',
  getAdvisories:
    'artifactNames: ["a"], eventTypes: ["EVENT_TYPE_FILTER_FIXED"], eventReviewStates: ["REVIEW_STATE_APPROVED"], latestEventType: "EVENT_TYPE_FILTER_PATCHED"',
  getGroups: 'name: "a"',
  getIdentities: 'name: "a", relationshipType: "RELATIONSHIP_TYPE_STATIC"',
  getRepos: 'name: "a"',
  getRoleBindings: 'identity: "a", group: "b", role: "c"',
  getRoles: 'name: "a"',
  getTags: 'name: "a", digest: "b", updatedSince: "c", includeReferrers: true, includeDates: false, includeEpochs: true',
};
const scope =
  'descendantsOf: "a", childrenOf: "b", ancestorsOf: "c", inRoot: true, uids: ["d"], orderBy: "created_at desc", pageSize: 5';

/** Both forms of the data sources called with `args`. */
const both = (calls: string[], args: (call: string) => string[]): string[] =>
  calls.flatMap((call) => args(call).flatMap((given) => [`${call}({ ${given} })`, `${call}Output({ ${given} })`]));

/** The `calls` that do not compile. */
function refused(calls: string[]): string[] {
  const messages = compile(
    calls.map((call, index) => ({
      origin: `[${index}]`,
      text: `import * as pulumi from "@pulumi/pulumi";\nimport * as platform from "pulumi-platform";\nexport const later = pulumi.output("a");\nexport const made = platform.${call};\n`,
    })),
  );
  return calls.filter((_, index) => messages.some((message) => message.startsWith(`[${index}]:`)));
}

const ones = Object.keys(singular);
const alls = Object.keys(plural);

test("what every data source takes compiles", () => {
  const calls = [
    ...both(ones, (call) => ['uid: "a"', singular[call] ?? ""]),
    ...both(alls, (call) => ["", `${plural[call] ?? ""}, ${scope}`, "childrenOf: undefined"]),
    ...alls.flatMap((call) => [`${call}()`, `${call}Output()`]),
    ...both(["getGroup", "getRole"], () => ['name: "a", parentPath: "b/c"']),
    ...both(["getRoleBinding"], () => ['parentPath: "a/b", identityUid: "b", roleUid: "c"']),
    "getGroupOutput({ uid: later })",
    'getGroupOutput({ name: later, parentUid: Promise.resolve("a") })',
    'getGroupsOutput({ uids: [later, "a"], childrenOf: later })',
    'getGroups({ orderBy: "some_other_field" })',
  ];
  expect(refused(calls)).toEqual([]);
});

test("an argument that it does not take does not", () => {
  const calls = [
    ...both(ones, (call) => ['uid: "a", nmae: "b"', `${singular[call] ?? ""}, nmae: "b"`, "", 'nmae: "b"']),
    ...both(alls, (call) => ['nmae: "b"', `${plural[call] ?? ""}, order_by: "name"`]),
    ...both(["getRoleBindings", "getAdvisories"], () => ['name: "a"']),
    ...ones.flatMap((call) => [`${call}()`, `${call}Output()`]),
  ];
  expect(refused(calls)).toEqual(calls);
});

test("nor do two ways at once, nor a value of another type", () => {
  const calls = [
    ...both(ones, (call) => [`uid: "a", ${singular[call] ?? ""}`]),
    ...both(["getGroup"], () => ['uid: "a", parentPath: "b"']),
    ...both(["getRoleBinding"], () => ['parentUid: "a", parentPath: "b/c", identityUid: "b", roleUid: "c"']),
    ...both(["getRoleBinding"], () => ['identityUid: "b", roleUid: "c"']),
    ...both(["getAdvisories"], () => ['origin: "a", artifactNames: ["b"]']),
    ...both(alls, () => ['pageSize: "5"', "childrenOf: 5", 'uids: "a"', "orderBy: null", 'inRoot: "yes"']),
    ...both(["getAdvisories"], () => [
      'eventTypes: ["FIXED"]',
      'latestEventType: "FIXED"',
      'eventReviewStates: "REVIEW_STATE_APPROVED"',
    ]),
    ...both(["getIdentities"], () => ['relationshipType: "STATIC"']),
    "getGroup({ uid: later })",
    "getGroups({ childrenOf: later })",
  ];
  expect(refused(calls)).toEqual(calls);
});
