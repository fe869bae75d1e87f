import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { logins } from "./logins";

/** The kinds that programs of the test declare. */
export type Kind =
  | "Group"
  | "Identity"
  | "Role"
  | "RoleBinding"
  | "GroupAccess"
  | "IdentityProvider"
  | "ExternalGroupRoleMapping"
  | "GroupInvite"
  | "AccountAssociation";

/** A resource as a program declares it. It names others by their slots, by "stranger", by "releaser" or by the name of a built-in role. */
export interface Resource {
  readonly kind: Kind;
  /** The types of the components around it, as its URN has them. */
  readonly component: string;
  /** Its logical name: the same one may stand in several components. */
  readonly logical: string;
  /** Its name on the platform. */
  readonly title: string;
  /** The slot of the group, or of the identity provider, that it is in: "" is the organisation, "outside" a group of others. */
  readonly place: string;
  readonly placeBy: "uid" | "path";
  readonly who: string;
  readonly whoBy: "uid" | "path" | "login";
  readonly role: string;
  readonly roleBy: "uid" | "name";
  /** How an identity logs in, by name. */
  readonly login: string;
  /** The login is known only after the update. */
  readonly isLoginPending: boolean;
  /** The login is a secret of the program. */
  readonly isLoginSecret: boolean;
  /** The capabilities of a role. */
  readonly allows: readonly string[];
  /** Who has which role by a GroupAccess. */
  readonly members: readonly { readonly role: string; readonly who: string }[];
  /** The stranger keeps what he has in the group of a GroupAccess. */
  readonly isExempt: boolean;
  /** The issuer of an identity provider, the external group of a mapping, the person of an invite, or the number of an account. */
  readonly detail: string;
}

/** The effect of an update on one resource. */
export interface Slot {
  readonly before: Resource | undefined;
  readonly after: Resource | undefined;
  /** It is replaced, whether or not anything in it asks for that. */
  readonly isForced: boolean;
  /** The program says `retainOnDelete`. */
  readonly isRetained: boolean;
  /** Where the program does not declare it, it reads an object of others under its logical name, if its kind has one. */
  readonly isRead: boolean;
  /** Whether a reference that the update writes uses the names before the update or after it. */
  readonly era: Era;
}

/** Names of before the update, or of after it. */
export type Era = "before" | "after";

/** An update: its resources by slot. A slot comes after those to which it refers. */
export type Update = ReadonlyMap<string, Slot>;

/** The capabilities of custom roles. */
export const capabilities = ["CAP_IAM_ROLE_BINDINGS_UPDATE", "CAP_IAM_GROUPS_CREATE", "CAP_REPO_CREATE", "CAP_REPO_LIST"];
const groups = ["g0", "g1", "g2", "g3"];
const identities = ["i0", "i1", "i2"];
const roles = ["r0", "r1"];
const builtIn = ["owner", "editor", "viewer"];
/** Bindings of another stack, perhaps of this program's roles to its identities. */
const ofOthers = ["o0", "o1"];

const kindOf: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(groups.map((slot) => [slot, "Group"])),
  ...Object.fromEntries(identities.map((slot) => [slot, "Identity"])),
  ...Object.fromEntries(roles.map((slot) => [slot, "Role"])),
  p0: "IdentityProvider",
  ...Object.fromEntries(["b0", "b1", "b2", "b3", ...ofOthers].map((slot) => [slot, "RoleBinding"])),
  a0: "GroupAccess",
  m0: "ExternalGroupRoleMapping",
  v0: "GroupInvite",
  s0: "AccountAssociation",
  s1: "AccountAssociation",
};

/** True for what another stack has made before the update, which does not change it. */
export function isOfOthers(slot: string): boolean {
  return ofOthers.includes(slot);
}

/** Orders in which an engine may come to the slots. */
export const orders = fc.shuffledSubarray(Object.keys(kindOf), { minLength: Object.keys(kindOf).length });

/** The fields of each kind that an update may change, besides the place of its URN. */
const fieldsOf: Readonly<Record<Kind, readonly (keyof Resource)[]>> = {
  Group: ["title", "place", "placeBy"],
  Identity: ["title", "place", "placeBy", "login"],
  Role: ["title", "place", "placeBy", "allows"],
  RoleBinding: ["place", "placeBy", "who", "whoBy", "role", "roleBy"],
  GroupAccess: ["place", "placeBy", "members", "isExempt"],
  IdentityProvider: ["place", "placeBy", "role", "roleBy", "detail"],
  ExternalGroupRoleMapping: ["role", "roleBy", "detail"],
  GroupInvite: ["place", "placeBy", "role", "roleBy", "detail"],
  AccountAssociation: ["place", "placeBy", "detail"],
};

/** Few names, so that they meet. A custom role may have the name of a built-in one, which comes first. */
const titles: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  Group: ["shop", "ops", "outside"],
  Identity: ["ci", "bot", "stranger"],
  Role: ["deployer", "auditor", "viewer", "releaser"],
};
const details: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  IdentityProvider: ["https://one.example", "https://two.example"],
  ExternalGroupRoleMapping: ["admins", "staff"],
  GroupInvite: ["eve@example.com", ""],
  AccountAssociation: ["111111111111", "222222222222"],
};

const who = fc.constantFrom(...identities, "stranger");
const role = fc.constantFrom(...builtIn, ...roles, ...roles, "releaser");
const usual = <Value>(value: Value, ...others: readonly Value[]) => fc.constantFrom(value, value, ...others);

function resource(slot: string, kind: Kind): fc.Arbitrary<Resource> {
  const above = kind === "Group" ? groups.slice(0, groups.indexOf(slot)) : groups;
  return fc.record({
    kind: fc.constant(kind),
    component: fc.constantFrom("", "acme:index:Left$", "acme:index:Right$"),
    logical: fc.constantFrom("x", "y"),
    title: fc.constantFrom(...(titles[kind] ?? ["sso"])),
    place: kind === "ExternalGroupRoleMapping" ? fc.constant("p0") : fc.constantFrom("", "outside", ...above),
    placeBy: usual("uid" as const, "path" as const),
    who,
    whoBy: usual("uid" as const, "path" as const, "login" as const),
    role,
    roleBy: fc.constantFrom("uid" as const, "name" as const),
    login: fc.constantFrom(...Object.keys(logins)),
    isLoginPending: usual(false, false, false, false, false, false, true),
    isLoginSecret: fc.integer({ min: 0, max: 29 }).map((each) => each === 0),
    allows: fc.subarray(capabilities, { minLength: 1 }),
    members: fc.uniqueArray(fc.record({ role, who }), { maxLength: 3, selector: (each) => JSON.stringify(each) }),
    isExempt: fc.boolean(),
    detail: fc.constantFrom(...(details[kind] ?? [""])),
  });
}

type Fate = "same" | "changed" | "moved to another URN" | "forced" | "retained" | "created" | "deleted" | "none";
const fates = fc.constantFrom<Fate>(
  ...(["same", "same", "same", "changed", "changed", "changed", "moved to another URN"] as const),
  ...(["forced", "retained", "created", "created", "deleted", "deleted", "none"] as const),
);

function slot(name: string, kind: Kind): fc.Arbitrary<Slot> {
  return fc
    .record({
      one: resource(name, kind),
      other: resource(name, kind),
      fate: isOfOthers(name) ? fc.constant("same" as const) : fates,
      changed: fc.subarray([...fieldsOf[kind]], { minLength: 1, maxLength: 3 }),
      era: fc.constantFrom("before" as const, "after" as const),
      isEnding: fc.boolean(),
      isRead: usual(false, false, true),
    })
    .map(({ one, other, fate, changed, era, isEnding, isRead }): Slot => {
      const declared = { ...one, isLoginPending: false };
      const pick = (names: readonly (keyof Resource)[]) => Object.fromEntries(names.map((each) => [each, other[each]]));
      const is: Partial<Record<Fate, Resource>> = {
        changed: { ...one, ...pick(changed) },
        retained: { ...declared, ...pick(changed) },
        "moved to another URN": { ...declared, ...pick(["component", "logical", ...changed.slice(1)]) },
        created: one,
      };
      const isGone = fate === "none" || fate === "deleted" || (fate === "retained" && isEnding);
      return {
        before: fate === "created" || fate === "none" ? undefined : declared,
        after: isGone ? undefined : (is[fate] ?? declared),
        isForced: fate === "forced",
        isRetained: fate === "retained",
        isRead,
        era,
      };
    });
}

/** Updates of programs with components, several forms of reference, moves, renames and replacements. */
export const updates: fc.Arbitrary<Update> = fc
  .record(Object.fromEntries(Object.entries(kindOf).map(([name, kind]) => [name, slot(name, kind)])))
  .map((slots) => withoutClashes(new Map(Object.entries(slots))));

/** Whether references of a resource use the names before the update or after it: one that does not change keeps its texts. */
export function eraOf({ before, after, era }: Slot): Era {
  const isSame =
    before !== undefined &&
    isDeepStrictEqual({ ...before, component: "", logical: "" }, { ...after, component: "", logical: "" });
  return isSame ? "before" : era;
}

/** A URN without its parts that all resources share. */
function urnOf({ kind, component, logical }: Resource): string {
  return [kind, component, logical].join(" ");
}

/** The update without what it does with one resource. */
export function withoutChange(update: Update, name: string): Update {
  return withSlot(update, name, update.get(name)?.before);
}

/** The update without one resource. */
export function withoutResource(update: Update, name: string): Update {
  return withSlot(update, name, undefined);
}

function withSlot(update: Update, name: string, resource: Resource | undefined): Update {
  const slot: Slot = { before: resource, after: resource, isForced: false, isRetained: false, isRead: false, era: "after" };
  return withoutClashes(new Map([...update, [name, slot]]));
}

/** The update without what the engine would refuse: a URN has one resource, before and after. */
function withoutClashes(update: Update): Update {
  const owners = new Map<string, string>();
  const only = (side: "before" | "after") =>
    new Map(
      [...update].flatMap(([name, slot]) => {
        const resource = slot[side];
        if (resource === undefined || (owners.get(urnOf(resource)) ?? name) !== name) return [];
        owners.set(urnOf(resource), name);
        return [[name, resource] as const];
      }),
    );
  const [before, after] = [closed(only("before")), closed(only("after"))];
  return new Map([...update].map(([name, slot]) => [name, { ...slot, before: before.get(name), after: after.get(name) }]));
}

/** The program with other references for those to what it lacks; a mapping needs its identity provider. */
function closed(program: ReadonlyMap<string, Resource>): ReadonlyMap<string, Resource> {
  const isMissing = (slot: string) => slot in kindOf && !program.has(slot);
  const otherOf: Partial<Record<keyof Resource, (resource: Resource) => Partial<Resource>>> = {
    place: ({ place }) => (isMissing(place) ? { place: "" } : {}),
    who: (each) => (isMissing(each.who) ? { who: "stranger" } : {}),
    role: (each) => (isMissing(each.role) ? { role: "viewer" } : {}),
    members: ({ members }) => ({ members: members.filter((each) => !isMissing(each.who) && !isMissing(each.role)) }),
  };
  return new Map(
    [...program].flatMap(([name, resource]): [string, Resource][] => {
      if (resource.kind === "ExternalGroupRoleMapping" && isMissing(resource.place)) return [];
      const others = fieldsOf[resource.kind].map((field) => otherOf[field]?.(resource));
      return [[name, Object.assign({ ...resource }, ...others) as Resource]];
    }),
  );
}

/** The slots that the engine knows a resource to depend on: a path, a name and a login are plain texts. */
export function dependenciesOf(resource: Resource): Readonly<Record<string, readonly string[]>> {
  const { kind, place, placeBy, who, whoBy, role, roleBy, members } = resource;
  const binds = kind === "RoleBinding";
  const grants = binds || kind === "IdentityProvider" || kind === "ExternalGroupRoleMapping" || kind === "GroupInvite";
  const all: Record<string, readonly string[]> = {
    [kind === "ExternalGroupRoleMapping" ? "identityProviderUid" : "parentUid"]:
      placeBy === "uid" || kind === "ExternalGroupRoleMapping" ? [place] : [],
    identityUid: binds && whoBy === "uid" ? [who] : [],
    [kind === "IdentityProvider" ? "defaultRole" : "roleUid"]: grants && roleBy === "uid" ? [role] : [],
    access: kind === "GroupAccess" ? [...new Set(members.map((each) => each.who))] : [],
  };
  return Object.fromEntries(Object.entries(all).map(([input, slots]) => [input, slots.filter((each) => each in kindOf)]));
}
