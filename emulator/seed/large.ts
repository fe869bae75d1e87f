import { builtInRoleUid } from "../auth/built-in-roles";
import type { JsonObject } from "../wire/json";
import { digestOf } from "./catalog";
import type { Plant } from "./sign-in";

const departments = [
  ...["analytics", "claims", "finance", "infrastructure", "logistics", "marketing"],
  ...["payments", "pricing", "research", "sales", "security", "support"],
];
const teams = ["backend", "data", "edge", "frontend", "mobile", "platform", "quality", "search"];
const stages = ["production", "staging"];
const services = ["api", "cache", "jobs", "web", "worker"];
const versions = ["1.0", "1.1", "1.2", "1.3", "latest"];

/**
 * Plants a large organisation of about 5,000 objects with always the same names. It has departments with teams, each team with a group for
 * each stage, and their identities, roles, bindings and repositories with tags.
 */
export function plantLarge(plant: Plant, organization: string): void {
  const group = (parent: string, name: string) => plant("groups", parent, { name, description: `The ${name} of its group` });
  const bind = (place: string, identityUid: string, roleUid: string) => plant("roleBindings", place, { identityUid, roleUid });
  const identity = (place: string, name: string, claimMatch: JsonObject) =>
    plant("identities", place, { name, description: "One of many", claimMatch });
  const person = (place: string, name: string) =>
    identity(place, name, { issuer: "https://login.acme.example", subject: `${name}@acme.example` });
  const builder = (place: string, repository: string, stage: string) =>
    identity(place, `${repository}-${stage}`, {
      issuer: "https://token.actions.githubusercontent.com",
      subject: `repo:acme/${repository}:environment:${stage}`,
    });

  for (const department of departments) {
    const place = group(organization, department);
    const reader = plant("roles", place, {
      name: `${department}-reader`,
      description: "Lists repositories and their tags",
      capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"],
    });
    const auditor = plant("roles", place, {
      name: `${department}-auditor`,
      description: "Lists who has access",
      capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_IAM_IDENTITY_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"],
    });
    const head = person(place, `${department}-head`);
    bind(place, head, builtInRoleUid("editor"));
    bind(place, head, auditor);
    for (const team of teams) {
      const room = group(place, team);
      const name = `${department}-${team}`;
      for (const rank of ["first", "second", "third"]) {
        const member = person(room, `${name}-${rank}`);
        bind(room, member, builtInRoleUid(rank === "first" ? "editor" : "viewer"));
        bind(place, member, reader);
      }
      for (const stage of stages) {
        const stageRoom = group(room, stage);
        for (const service of ["api", "web"]) bind(stageRoom, builder(stageRoom, `${name}-${service}`, stage), reader);
        bind(stageRoom, head, builtInRoleUid("viewer"));
      }
      for (const service of services) {
        const repo = plant("repos", room, { name: `${name}-${service}`, description: `The ${service} of ${name}` });
        for (const version of versions)
          plant("tags", repo, {
            name: version,
            digest: digestOf(`${name}-${service}:${version}`),
            deprecated: false,
            bundles: [],
          });
      }
    }
  }
}
