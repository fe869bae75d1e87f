import { compile } from "../docs/compiler";

const head = `
import * as pulumi from "@pulumi/pulumi";
import { getRole, getRoleBinding, Group, type GroupArgs, Identity, type IdentityArgs, Role, RoleBinding } from "pulumi-platform";
const later = pulumi.output("a");
const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
`;

const accepted: [string, string][] = [
  ["plain values", 'new Group("g", { parentUid: "a", name: "b", description: "c", adopt: true });'],
  ["outputs and promises", 'new Group("g", { parentUid: later, name: Promise.resolve("b"), adopt: pulumi.output(true) });'],
  [
    "undefined for what may be left out, also under exactOptionalPropertyTypes",
    'new Group("g", { parentUid: "a", name: undefined, description: undefined, adopt: undefined });',
  ],
  [
    "outputs that may be undefined",
    'new Group("g", { parentUid: "a", description: later.apply((): string | undefined => undefined) });',
  ],
  [
    "each of several forms",
    `
    new Identity("i", { parentUid: "a", staticKeys: { issuer: later, subject: "b", issuerKeys: "{}" } });
    new Identity("i", { parentUid: "a", awsIdentity: { awsAccount: "1", arn: "b", userIdPattern: later } });
    new Identity("i", { parentUid: "a", servicePrincipal: "S" });
    new Identity("i", { parentUid: "a", allowAnySubject: true, claimMatch: { issuer: "a", subjectPattern: ".*" } });
    new Identity("i", { parentUid: "a", claimMatch: { ...claimMatch, audience: later, claims: { a: later } } });`,
  ],
  ["a message", 'new Identity("i", { parentUid: "a", claimMatch });'],
  ["a message that is an output", 'new Identity("i", { parentUid: "a", claimMatch: pulumi.output(claimMatch) });'],
  [
    "a message with members that are outputs",
    'new Identity("i", { parentUid: "a", claimMatch: { ...claimMatch, subject: later } });',
  ],
  ["a list", 'new Role("r", { parentUid: "a", capabilities: ["CAP_A", later] });'],
  [
    "lists that are constants",
    `
    const capabilities = ["CAP_A", "CAP_B"] as const;
    new Role("r", { parentUid: "a", capabilities });
    new Identity("i", { parentUid: "a", staticKeys: { issuer: "a", subject: "b", issuerKeys: "{}", audiences: Object.freeze(["c"]) } });`,
  ],
  ["a list that is an output", 'new Role("r", { parentUid: "a", capabilities: later.apply((name) => [name]) });'],
  [
    "a uid of another resource",
    'new RoleBinding("b", { parentUid: new Group("g", { parentUid: "a" }).uid, identityUid: later, roleUid: "r" });',
  ],
  [
    "names instead of uids, in any mixture",
    `
    new Group("g", { parentPath: "acme/shop" });
    new Identity("i", { parentPath: later, claimMatch });
    new Role("r", { parentPath: "acme", capabilities: ["CAP_A"] });
    new RoleBinding("b", { parentPath: "acme", identityRef: "acme/ci", roleName: "viewer" });
    new RoleBinding("b", { parentUid: "a", identityRef: { issuer: "https://i.example", subject: later }, roleUid: later, adopt: true });
    export const roleName: pulumi.Output<string | undefined> = RoleBinding.get("b", "a").roleName;
    export const roleUid: pulumi.Output<string> = RoleBinding.get("b", "a").roleUid;`,
  ],
  [
    "get by name and uid, without dummy arguments",
    'const group: Group = Group.get("g", "a"); const role: Role = Role.get("r", later, { protect: true }); export { group, role };',
  ],
  ["arguments by their type", 'const args: GroupArgs = { parentUid: "a" }; args.name = "b"; new Group("g", args);'],
  [
    "outputs by their types",
    `
    const group = new Group("g", { parentUid: "a" });
    export const name: pulumi.Output<string> = group.name;
    export const description: pulumi.Output<string | undefined> = group.description;
    export const parentUid: pulumi.Output<string | undefined> = group.parentUid;
    export const uid: pulumi.Output<string> = group.uid;
    export const bound: pulumi.Output<string> = RoleBinding.get("b", "a").identity.name;
    export const capabilities: pulumi.Output<string[]> = Role.get("r", "a").capabilities;
    export const issuer: pulumi.Output<string | undefined> = Identity.get("i", "a").claimMatch.apply((match) => match?.issuer);`,
  ],
];

/** The message about `name`, which this form of the object does not take. */
const only = (name: string) => new RegExp(`'${name}' are incompatible\\.\\s+Type 'string' is not assignable to type 'undefined'`);

const rejected: [string, string, RegExp][] = [
  ["no arguments", 'new Group("g");', /Expected 2-3 arguments/],
  ["a missing parent", 'new Group("g", {});', /type '\(\{ parentPath: Input<string>/],
  ["an undefined parent", 'new Group("g", { parentUid: undefined });', /undefined.* is not assignable/],
  ["a missing message", 'new Identity("i", { parentUid: "a" });', /'claimMatch' is missing/],
  [
    "no arguments of a data source: the message shows both forms",
    "getRole({});",
    /\{ uid: string; .* \| \{ name: string; parentUid\?: string \| undefined;/,
  ],
  [
    "no arguments of a data source by several fields: the same",
    "getRoleBinding({});",
    /\| \{ (?=.*identityUid: string;)(?=.*parentUid: string;)(?=.*roleUid: string;)/,
  ],
  ["two of several forms", 'new Identity("i", { parentUid: "a", claimMatch, servicePrincipal: "S" });', only("servicePrincipal")],
  ["a missing member", 'new Identity("i", { parentUid: "a", claimMatch: { issuer: "x" } });', /'subject' is missing/],
  [
    "two members of which exactly one is given",
    'new Identity("i", { parentUid: "a", claimMatch: { ...claimMatch, subjectPattern: "x" } });',
    only("subject(Pattern)?"),
  ],
  [
    "two members of which at most one is given",
    'new Identity("i", { parentUid: "a", claimMatch: { ...claimMatch, audience: "x", audiencePattern: "x" } });',
    only("audiencePattern"),
  ],
  ["a missing list", 'new Role("r", { parentUid: "a" });', /'capabilities' is missing/],
  ["missing references", 'new RoleBinding("b", { parentUid: "a" });', /missing.*identityUid, roleUid|not assignable/],
  ["a uid and a name of one object", 'new Group("g", { parentUid: "a", parentPath: "acme" });', only("parentPath")],
  [
    "two of the pairs of a binding",
    'new RoleBinding("b", { parentUid: "a", identityRef: "a/b", roleUid: "r", roleName: "viewer" });',
    only("roleName"),
  ],
  [
    "an identity by its issuer alone",
    'new RoleBinding("b", { parentUid: "a", identityRef: { issuer: "a" }, roleUid: "r" });',
    /subject|not assignable/,
  ],
  ["a value of another type", 'new Group("g", { parentUid: 1 });', /'number' is not assignable/],
  ["an output of another type", 'new Group("g", { parentUid: pulumi.output(1) });', /not assignable/],
  ["a list of another type", 'new Role("r", { parentUid: "a", capabilities: [1] });', /not assignable/],
  ["a text instead of a list", 'new Role("r", { parentUid: "a", capabilities: "CAP_A" });', /not assignable/],
  ["an unknown argument", 'new Group("g", { parentUid: "a", descripton: "b" });', /'descripton'.*does not exist|did you mean/i],
  [
    "an unknown member",
    'const args: IdentityArgs = { parentUid: "a", claimMatch: { ...claimMatch, audienc: "x" } }; export { args };',
    /audienc/,
  ],
  ["an output as an argument", 'new Group("g", { parentUid: "a", createTime: "x" });', /createTime/],
  ["uid as an argument", 'new Group("g", { parentUid: "a", uid: "x" });', /uid/],
  ["what only data sources show", 'export const verified = Group.get("g", "a").verified;', /verified/],
  ["the output of another kind", 'export const capabilities = Group.get("g", "a").capabilities;', /capabilities/],
  ["get without a uid", 'Group.get("g");', /Expected 2-3 arguments/],
  ["get with arguments", 'Group.get("g", { parentUid: "a" });', /'parentUid' does not exist/],
  ["an output that is assigned", 'new Group("g", { parentUid: "a" }).name = later;', /read-only/],
];

test("arguments and outputs that follow from the declarations compile", () => {
  const problems = compile(accepted.map(([origin, text]) => ({ origin, text: head + text })));
  expect(problems).toEqual([]);
});

test("arguments that the declarations do not allow are compile errors, each of which says what is wrong", () => {
  const problems = compile(rejected.map(([origin, text]) => ({ origin, text: head + text })));
  const own = (origin: string) => problems.filter((problem) => problem.startsWith(`${origin}: `)).join("\n");
  expect(rejected.map(([origin]) => own(origin))).toEqual(
    rejected.map(([, , message]): unknown => expect.stringMatching(message)),
  );
});
