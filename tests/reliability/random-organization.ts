import fc from "fast-check";
import type { Inputs } from "../../provider/schema/kind";
import type { Declaration, KindName } from "../support/engine-simulator";

/** What the programs of the test may refer to besides their own resources. */
export interface Surroundings {
  /** Uid of the organisation. */
  readonly organization: string;
  /** Uid of the group that the program is in. */
  readonly root: string;
  /** Uids by the names that programs use: of the group that they are in, "", of the built-in roles, and of an identity, `stranger`. */
  readonly uids: ReadonlyMap<string, string>;
}

export const issuer = "https://issuer.example";

/** The client secret of identity providers, which a preview does not show. */
export const secret = "the-client-secret";

/** Everybody who could have a token of the issuer. */
export const subjects = ["ann", "bob", "cat", "dan"];

export const logins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ann: { issuer, subject: "ann" },
  bob: { issuer, subject: "bob" },
  annOrBob: { issuer, subjectPattern: "^(ann|bob)$" },
  bobOrCat: { issuer, subjectPattern: "^(bob|cat)$" },
  anyA: { issuer, subjectPattern: "^.a.$" },
  dan: { issuer, subject: "dan" },
  anybody: { issuer, subjectPattern: ".*" },
};

const capabilities = ["CAP_IAM_ROLE_BINDINGS_UPDATE", "CAP_IAM_GROUPS_CREATE", "CAP_REPO_CREATE", "CAP_REPO_LIST"];

/** Built-in roles. */
export const builtIn = ["owner", "editor", "viewer"];

const groups = ["g0", "g1", "g2"];
const identities = ["i0", "i1"];
const custom = ["r0", "r1"];

/** A group of the program that comes before `name`, so that no group is in itself; "" is the root. */
const placeBefore = (name: string) => fc.constantFrom("", ...groups.slice(0, groups.indexOf(name)));
const place = fc.constantFrom("", ...groups);
const who = fc.constantFrom(...identities, "stranger");
const role = fc.constantFrom(...builtIn, ...custom);
const suffix = fc.constantFrom("", "x");

/** A resource of the program. Each kind has some of the fields; others are named by their logical names. */
interface Slot {
  readonly kind: KindName;
  readonly parent?: string;
  /** After the logical name: a change renames the object. */
  readonly suffix?: string;
  readonly login?: string;
  readonly allows?: readonly string[];
  readonly who?: string;
  readonly role?: string;
  readonly members?: readonly { readonly role: string; readonly who: string }[];
  /** How a binding names what it binds. */
  readonly by?: string;
  readonly isExempt?: boolean;
  /** The issuer of an identity provider, the group of a mapping, the person of an invite, or the number of an account. */
  readonly detail?: string;
}

/** A program: its resources by logical name. */
export type Program = Readonly<Record<string, Slot>>;

const group = (name: string) => fc.record({ kind: fc.constant("group" as const), parent: placeBefore(name), suffix });
const identity = fc.record({
  kind: fc.constant("identity" as const),
  parent: place,
  suffix,
  login: fc.constantFrom(...Object.keys(logins)),
});
const customRole = fc.record({
  kind: fc.constant("role" as const),
  suffix,
  allows: fc.subarray(capabilities, { minLength: 1 }),
});
const binding = fc.record({
  kind: fc.constant("roleBinding" as const),
  parent: place,
  who,
  role,
  by: fc.constantFrom("uid", "name", "path", "login"),
});

/** What a program may have under each logical name. */
const slots: Readonly<Record<string, fc.Arbitrary<Slot>>> = {
  ...Object.fromEntries(groups.map((name) => [name, group(name)])),
  ...Object.fromEntries(identities.map((name) => [name, identity])),
  ...Object.fromEntries(custom.map((name) => [name, customRole])),
  ...Object.fromEntries(["b0", "b1", "b2"].map((name) => [name, binding])),
  access: fc.record({
    kind: fc.constant("groupAccess" as const),
    parent: fc.constantFrom(...groups),
    members: fc.uniqueArray(fc.record({ role, who }), { maxLength: 3, selector: (each) => JSON.stringify(each) }),
    isExempt: fc.boolean(),
  }),
  sso: fc.record({
    kind: fc.constant("identityProvider" as const),
    parent: place,
    suffix,
    role,
    detail: fc.constantFrom("https://one.example", "https://two.example"),
  }),
  mapping: fc.record({
    kind: fc.constant("externalGroupRoleMapping" as const),
    role,
    detail: fc.constantFrom("admins", "staff"),
  }),
  invite: fc.record({
    kind: fc.constant("groupInvite" as const),
    parent: place,
    role,
    detail: fc.constantFrom("eve@example.com", ""),
  }),
  account: fc.record({
    kind: fc.constant("accountAssociation" as const),
    parent: fc.constantFrom(...groups),
    detail: fc.constantFrom("111111111111", "222222222222"),
  }),
};

const maybe = Object.entries(slots).map(([name, each]) => [name, fc.option(each, { freq: 5 })] as const);
const filled: fc.Arbitrary<Readonly<Record<string, Slot | null>>> = fc.record(Object.fromEntries(maybe));

/** A program, and what an update changes under some of its logical names. */
export const changedPrograms: fc.Arbitrary<readonly [Program, Program]> = fc
  .record({ before: filled, other: filled, changed: fc.subarray(Object.keys(slots), { minLength: 1, maxLength: 4 }) })
  .map(({ before, other, changed }) => {
    const changes = Object.fromEntries(changed.map((name) => [name, other[name] ?? null]));
    return [closed(before), closed({ ...before, ...changes })] as const;
  });

/** Logical names that a resource refers to. */
function referencesOf(slot: Slot): string[] {
  const { kind, parent = "", members = [] } = slot;
  const all = [parent, slot.who, slot.role, ...members.flatMap((each) => [each.role, each.who])];
  const names = kind === "externalGroupRoleMapping" ? [...all, "sso"] : all;
  return [...new Set(names)].filter((name): name is string => name !== undefined && name in slots);
}

/** Logical names that the engine knows a resource to depend on: a path or a login is a plain text. */
function dependenciesOf(slot: Slot, program: Program): string[] {
  const isText = slot.by === "path" || boundByLogin(slot, program) !== undefined;
  return referencesOf(slot).filter((name) => !isText || name !== slot.who);
}

/** The login by which a binding names its identity; undefined if it does not, as where that is no single subject. */
function boundByLogin({ by, who = "" }: Slot, program: Program) {
  const login = logins[program[who]?.login ?? "dan"];
  return by === "login" && login?.["subject"] !== undefined ? login : undefined;
}

/** The program without what refers to what it lacks, and without a binding in a group of which a GroupAccess says who has access. */
function closed(program: Readonly<Record<string, Slot | null>>): Program {
  const managed = program["access"]?.parent;
  const kept = Object.entries(program).filter(
    (entry): entry is [string, Slot] =>
      entry[1] !== null &&
      referencesOf(entry[1]).every((name) => program[name]) &&
      !(entry[1].kind === "roleBinding" && entry[1].parent === managed),
  );
  return kept.length === Object.keys(program).length ? Object.fromEntries(kept) : closed(Object.fromEntries(kept));
}

/** The program for the engine. */
export function declarationsOf(program: Program, around: Surroundings): Declaration[] {
  return Object.entries(program).map(([name, slot]) => ({
    name,
    kind: slot.kind,
    dependsOn: dependenciesOf(slot, program),
    inputs: (uidOf) => inputsOf([name, slot], program, around, (other) => around.uids.get(other) ?? uidOf(other)),
  }));
}

function inputsOf(
  [name, resource]: readonly [string, Slot],
  program: Program,
  around: Surroundings,
  uidOf: (name: string) => string,
): Inputs {
  const { kind, parent = "", who: holder = "", role: held = "", members = [], by = "uid", detail = "", ...slot } = resource;
  const titleOf = (other: string) => `${other}${program[other]?.suffix ?? ""}`;
  const pathOf = (other: string): string =>
    other === "" ? "acme.example/life" : `${pathOf(program[other]?.parent ?? "")}/${titleOf(other)}`;
  const named = { parentUid: uidOf(parent), name: titleOf(name) };
  switch (kind) {
    case "identity":
      return { ...named, claimMatch: logins[slot.login ?? ""], allowAnySubject: true };
    case "role":
      return { ...named, capabilities: slot.allows };
    case "roleBinding": {
      const login = boundByLogin(resource, program);
      const path = holder === "stranger" ? "acme.example/home/stranger" : pathOf(holder);
      return {
        // A path is for groups of others.
        ...(by === "path" && parent === "" ? { parentPath: pathOf("") } : { parentUid: uidOf(parent) }),
        ...(login ? { identityRef: login } : by === "path" ? { identityRef: path } : { identityUid: uidOf(holder) }),
        ...(by === "name" && builtIn.includes(held) ? { roleName: held } : { roleUid: uidOf(held) }),
      };
    }
    case "groupAccess": {
      const byRole = Map.groupBy(members, (each) => titleOf(each.role));
      const labelled = [...byRole].map(([text, all]) => [
        text,
        Object.fromEntries(all.map((each) => [each.who, uidOf(each.who)])),
      ]);
      const isExempt = slot.isExempt === true && !members.some((each) => each.who === "stranger");
      const exempt = isExempt ? { exempt: { identityUids: [uidOf("stranger")] } } : {};
      return { parentUid: uidOf(parent), access: Object.fromEntries(labelled), adopt: true, ...exempt };
    }
    case "identityProvider":
      return { ...named, defaultRole: uidOf(held), oidc: { issuer: detail, clientId: "c", clientSecret: secret } };
    case "externalGroupRoleMapping":
      return { identityProviderUid: uidOf("sso"), externalGroupId: detail, roleUid: uidOf(held), scope: around.organization };
    case "groupInvite":
      return { parentUid: uidOf(parent), roleUid: uidOf(held), ttl: "86400s", ...(detail && { email: detail }) };
    case "accountAssociation":
      return { parentUid: uidOf(parent), name: "account", amazon: { account: detail } };
    default:
      return named;
  }
}
