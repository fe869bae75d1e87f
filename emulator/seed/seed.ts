import { builtInRoleUid, writeBuiltInRoles } from "../auth/built-in-roles";
import { seededSubject } from "../auth/oidc-issuer";
import type { Database } from "../storage/database";
import { isObject } from "../wire/json";
import { seedAdvisories, seedRepos } from "./catalog";
import { plantLarge } from "./large";
import { plantSample } from "./sample";
import { plantSignIn, type Plant } from "./sign-in";
import type { Store } from "../storage/store";
import { newUid } from "../storage/uid";

const seedTime = "2026-01-05T09:00:00.000Z";

/**
 * The content of a new organisation. `minimal` is an object of every kind, `sample` adds the {@link plantSample | sample}, and `large` adds
 * {@link plantLarge}.
 */
export type SeedSize = "minimal" | "sample" | "large";

/** The start of an emulator, with the uids of the root group and of the identity that owns it. */
export interface Seed {
  readonly organization: string;
  readonly identity: string;
}

/** Fills an empty database. In an existing one, updates the built-in roles and the issuer of the seeded identity. */
export function seed(database: Database, store: Store, issuer: string, size: SeedSize): Seed {
  return store.transaction(() => {
    writeBuiltInRoles(store, seedTime);
    const kept = database.fact("seed");
    if (kept === undefined) {
      const seeded = plant(store, issuer, size);
      database.setFact("seed", JSON.stringify({ ...seeded, issuer }));
      return seeded;
    }
    const { organization, identity, issuer: former } = JSON.parse(kept) as Seed & { issuer: string };
    if (former !== issuer) {
      followIssuer(store, identity, former, issuer);
      database.setFact("seed", JSON.stringify({ organization, identity, issuer }));
    }
    return { organization, identity };
  });
}

function plant(store: Store, issuer: string, size: SeedSize): Seed {
  const now = Date.now();
  const plantAt =
    (time: string): Plant =>
    (kind, parent, fields, uid = newUid(parent)) =>
      store.insert({ kind, uid, parent, createTime: time, fields }).uid;
  const add = plantAt(seedTime);
  const organization = add("groups", "", {
    name: "acme.example",
    description: "The organisation",
    kind: "ORG_KIND_CUSTOMER",
    status: "ORG_STATUS_READY",
    verified: true,
  });
  const identity = add("identities", organization, {
    name: "organization-admin",
    description: "Owns the organisation; assumed with a token of the emulator's own issuer",
    lastSeenTime: seedTime,
    claimMatch: { issuer, subject: seededSubject },
  });
  add("roleBindings", organization, { identityUid: identity, roleUid: builtInRoleUid("owner") });
  plantSignIn(add, organization, identity, now);
  const repoUids = new Map<string, string>();
  for (const { tags, ...repo } of seedRepos) {
    const repoUid = add("repos", organization, repo);
    repoUids.set(repo.name, repoUid);
    for (const tag of tags) add("tags", repoUid, tag);
  }
  for (const advisory of seedAdvisories) {
    const uid = newUid(organization);
    const events = advisory.events.map((event) => ({ uid: newUid(uid), ...event }));
    add("advisories", organization, { ...advisory, events }, uid);
  }
  // Static keys live at most a year from their creation, so the sample is new.
  const ground = { organization, source: repoUids.get("web-server") ?? "", now };
  if (size !== "minimal") plantSample(plantAt(new Date(now).toISOString()), ground);
  if (size === "large") plantLarge(add, organization);
  return { organization, identity };
}

function followIssuer(store: Store, identity: string, former: string, issuer: string): void {
  const row = store.get("identities", identity);
  const match = row?.fields["claimMatch"];
  if (row === undefined || !isObject(match) || match["issuer"] !== former) return;
  store.update({ ...row, fields: { ...row.fields, claimMatch: { ...match, issuer } } });
}
