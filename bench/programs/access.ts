import { GroupAccess } from "pulumi-platform";
import { groups, people } from "./people";

// All role bindings of a group as one resource.
for (const [number, parentUid] of groups.entries())
  new GroupAccess(`group-${number}`, {
    parentUid,
    access: { viewer: Object.fromEntries(people.map((uid, at) => [`person-${at}`, uid])) },
  });
