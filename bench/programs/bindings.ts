import { getRoleOutput, RoleBinding } from "pulumi-platform";
import { groups, people } from "./people";

// A resource for each role binding.
const roleUid = getRoleOutput({ name: "viewer" }).uid;
for (const [number, parentUid] of groups.entries())
  for (const [at, identityUid] of people.entries())
    new RoleBinding(`group-${number}-person-${at}`, { parentUid, identityUid, roleUid });
