import { organizationOf, parentOf } from "../provider/client/uid";
import { z } from "zod";
import type { PlatformClient } from "../provider/client/client";
import { type Collection, objectUid, referenceUid, text, type WireObject } from "../provider/client/collection";
import { messageOf } from "../provider/client/errors";
import type { Scope } from "../provider/client/list";
import { identity, loginForms, type WireIdentity } from "../provider/kinds/identity";
import { group } from "../provider/kinds/group";
import { role } from "../provider/kinds/role";
import { boundIdentity, boundRole, roleBinding, type WireRoleBinding } from "../provider/kinds/role-binding";
import { unprovenPlaces } from "../access/effective";
import { ancestorsOf } from "../access/places";
import type {
  Named,
  Snapshot,
  SnapshotBinding,
  SnapshotIdentity,
  SnapshotMapping,
  SnapshotRole,
  Unreadable,
} from "../access/snapshot";

const mappingSchema = z.looseObject({
  uid: objectUid,
  externalGroupId: text,
  roleUid: referenceUid,
  scope: referenceUid,
});

/** Mappings of groups at identity providers to roles (docs/platform-api.md#external-group-role-mappings). */
const mappings: Collection<z.infer<typeof mappingSchema>> = {
  noun: "external group role mapping",
  area: "iam",
  segment: "externalGroupRoleMappings",
  capabilities: "IAM_IDENTITY_PROVIDERS",
  schema: mappingSchema,
  filters: {},
};

/** Reads Lists, and knows who reads. */
export type AccessReader = Pick<PlatformClient, "list" | "caller">;

/** Which part of an organisation a snapshot needs. */
export interface Wanted {
  /** Role bindings by place: those of each of these groups. */
  readonly places?: readonly string[];
  /** Role bindings by identity: wherever it is bound. Groups below are read too. */
  readonly identity?: string;
}

/**
 * Reads a snapshot by Lists. A platform may hide what a caller may not see, so what is not proven to be complete is in `unreadable`.
 */
export async function readSnapshot(client: AccessReader, wanted: Wanted): Promise<Snapshot> {
  return new Reader(client).read(wanted);
}

class Reader {
  readonly #unreadable: Unreadable[] = [];

  constructor(private readonly client: AccessReader) {}

  async read({ places = [], identity: who }: Wanted): Promise<Snapshot> {
    const perPlace = places.map((place) =>
      this.#list(`role bindings in ${place}`, roleBinding.collection, { childrenOf: place }),
    );
    const ofIdentity =
      who === undefined ? [] : [this.#list(`role bindings of identity ${who}`, roleBinding.collection, { identity: who })];
    const rows = (await Promise.all([...perPlace, ...ofIdentity])).flat();
    const bindings = rows.flatMap((row) => this.#binding(row));
    const bound = new Set(bindings.map(({ place }) => place));
    // The uid of a person is in no organisation.
    const home = who === undefined ? undefined : parentOf(who);
    const organizations = new Set([...places, ...bound, ...(home === undefined ? [] : [home])].map(organizationOf));
    const [groups, roles, identities, mapped] = await Promise.all([
      this.#groups(
        [...places, ...bound, ...bindings.flatMap(({ identityUid }) => parentOf(identityUid) ?? [])],
        who === undefined ? [] : [...bound],
      ),
      this.#roles(rows, []),
      this.#identities(rows, who),
      this.#mappings(organizations),
    ]);
    const more = await this.#roles(
      [],
      mapped.map(({ roleUid }) => roleUid).filter((uid) => !roles.has(uid)),
    );
    if (who === undefined) this.#checkPlaces(places, bindings);
    else await this.#checkIdentity(who, organizations, bound, groups, mapped.length > 0);
    return {
      groups,
      identities,
      roles: new Map([...roles, ...more]),
      bindings,
      mappings: mapped,
      unreadable: this.#unreadable,
    };
  }

  /** A List; nothing where it fails, which is recorded. */
  async #list<Wire extends WireObject, Values extends object>(
    what: string,
    collection: Collection<Wire, Values>,
    query: Scope & Values,
  ): Promise<Wire[]> {
    return this.client.list(collection, query).catch((error: unknown) => {
      this.#miss(what, messageOf(error));
      return [];
    });
  }

  /** The first reason counts. */
  #miss(what: string, reason: string): void {
    if (!this.#unreadable.some((missed) => missed.what === what)) this.#unreadable.push({ what, reason });
  }

  #binding(row: WireRoleBinding): SnapshotBinding[] {
    const [identityUid, roleUid, place] = [boundIdentity(row), boundRole(row), parentOf(row.uid)];
    if (identityUid !== "" && roleUid !== "" && place !== undefined) return [{ uid: row.uid, place, identityUid, roleUid }];
    this.#miss(
      `role binding ${row.uid}`,
      "the platform does not say what it binds: the identity or the role may have been deleted",
    );
    return [];
  }

  /** @param named uids of which the groups around are needed, and themselves @param below groups of which all groups below are needed */
  async #groups(named: readonly string[], below: readonly string[]): Promise<Map<string, Named>> {
    const uids = [...new Set(named.flatMap((uid) => [...ancestorsOf(uid), uid]))];
    const tops = below.filter((uid) => !ancestorsOf(uid).some((above) => below.includes(above)));
    const lists = await Promise.all([
      uids.length === 0 ? [] : this.#list("names of groups", group.collection, { uids }),
      ...tops.map((top) => this.#list(`groups below ${top}`, group.collection, { descendantsOf: top })),
    ]);
    return new Map(lists.flat().map(({ uid, name }) => [uid, { name }]));
  }

  async #roles(rows: readonly WireRoleBinding[], more: readonly string[]): Promise<Map<string, SnapshotRole>> {
    const known = new Map<string, SnapshotRole>(
      rows.flatMap((row) => (row.role?.name ? [[boundRole(row), { name: row.role.name }]] : [])),
    );
    const uids = [...new Set([...rows.map(boundRole), ...more])].filter((uid) => uid !== "");
    if (uids.length === 0) return known;
    const found = await this.#list("capabilities of roles", role.collection, { uids });
    for (const { uid, name, capabilities } of found) known.set(uid, { name, capabilities });
    for (const uid of uids) if (known.get(uid)?.capabilities === undefined) this.#miss(`capabilities of role ${uid}`, notShown);
    return known;
  }

  async #identities(rows: readonly WireRoleBinding[], who: string | undefined): Promise<Map<string, SnapshotIdentity>> {
    const known = new Map<string, SnapshotIdentity>(
      rows.flatMap((row) => (row.identity?.name ? [[boundIdentity(row), { name: row.identity.name }]] : [])),
    );
    const uids = [...new Set([...rows.map(boundIdentity), ...(who === undefined ? [] : [who])])].filter((uid) => uid !== "");
    if (uids.length === 0) return known;
    const found = await this.#list("how identities log in", identity.collection, { uids });
    for (const row of found) known.set(row.uid, { name: row.name, login: loginOf(row) });
    for (const uid of uids) if (known.get(uid)?.login === undefined) this.#miss(`how identity ${uid} logs in`, notShown);
    return known;
  }

  async #mappings(organizations: ReadonlySet<string>): Promise<SnapshotMapping[]> {
    const lists = [...organizations].map(async (root) => {
      const what = `external group role mappings in ${root}`;
      const rows = await this.#list(what, mappings, { descendantsOf: root });
      if (!(await this.#mayListMappings(root))) this.#miss(what, noControl);
      return rows;
    });
    return (await Promise.all(lists)).flat().map(({ uid, externalGroupId, roleUid, scope }) => ({
      uid,
      externalGroupId,
      roleUid,
      place: scope,
      identityProviderUid: parentOf(uid) ?? "",
    }));
  }

  /** True if a role binding of the caller shows that it may list all mappings in `root`: most organisations have none. */
  async #mayListMappings(root: string): Promise<boolean> {
    try {
      const caller = await this.client.caller();
      if (caller === undefined) return false;
      const rows = await this.client.list(roleBinding.collection, { identity: caller.uid });
      const uids = rows.filter((row) => parentOf(row.uid) === root).map(boundRole);
      const roles = uids.length === 0 ? [] : await this.client.list(role.collection, { uids });
      return roles.some(({ capabilities }) => capabilities.includes("CAP_IAM_IDENTITY_PROVIDERS_LIST"));
    } catch {
      return false;
    }
  }

  #checkPlaces(places: readonly string[], bindings: readonly SnapshotBinding[]): void {
    for (const place of unprovenPlaces(bindings, places.at(-1) ?? "")) {
      this.#miss(`role bindings in ${place}`, noControl);
    }
  }

  async #checkIdentity(
    who: string,
    organizations: ReadonlySet<string>,
    bound: ReadonlySet<string>,
    groups: ReadonlyMap<string, Named>,
    isMapped: boolean,
  ): Promise<void> {
    for (const root of organizations) {
      const control = await this.#list(`role bindings in ${root}`, roleBinding.collection, { childrenOf: root });
      if (control.length === 0) this.#miss(`role bindings of the identity elsewhere in ${root}`, noControl);
    }
    for (const place of bound) if (!groups.has(place)) this.#miss(`groups below ${place}`, notShown);
    if (parentOf(who) === undefined && isMapped)
      this.#miss(
        "roles of the identity through external group role mappings",
        "only the identity provider knows which groups a person is in",
      );
  }
}

const notShown = "the platform does not show it to these credentials";
const noControl = "the platform shows none to these credentials, so it may hide some";

function loginOf(row: WireIdentity): Record<string, unknown> {
  const given = loginForms.map((form): [string, unknown] => [form, Reflect.get(row, form)]).filter(([, value]) => Boolean(value));
  return Object.fromEntries(given);
}
