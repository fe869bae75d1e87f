import { roleBindings } from "../objects/role-bindings";
import { invalidArgument } from "../wire/errors";
import { stringOf, type JsonObject } from "../wire/json";
import { messageNamed } from "../contract/messages";
import { parseMessage } from "../wire/message";
import type { Action } from "./action";
import { Collection } from "./collection";

const batchLimit = 25;

/** Creates several role bindings in one group, all or none. */
export const batchCreate: Action = {
  method: "POST",
  kind: roleBindings,
  suffix: ":batchCreate",
  on: "collection",

  run({ services, access, body }) {
    const batch = parseMessage(messageNamed("iam.BatchCreateRoleBindingsRequest"), body);
    const { parent, bindings } = readBatch(batch);
    return new Collection(services, roleBindings, access).batchCreate(parent, bindings);
  },
};

/** The bindings of a batch. A binding without a role gets the role that the batch names for all. */
function readBatch(batch: JsonObject): { parent: string; bindings: JsonObject[] } {
  const parent = stringOf(batch["parent"]);
  const commonRole = stringOf(batch["roleUid"]);
  const requests = (batch["requests"] ?? []) as { parent?: string; roleBinding?: { identityUid?: string; roleUid?: string } }[];
  if (requests.length === 0 || requests.length > batchLimit) {
    throw invalidArgument({ field: "requests", description: `must have 1 to ${batchLimit} requests, got ${requests.length}` });
  }
  const bindings = requests.map(({ parent: own = "", roleBinding = {} }, index) => {
    const { identityUid = "", roleUid = "" } = roleBinding;
    if (own !== "" && own !== parent) {
      throw invalidArgument({
        field: `requests[${index}].parent`,
        description: `differs from the parent of the batch, ${parent}`,
      });
    }
    if (commonRole !== "" && roleUid !== "" && roleUid !== commonRole) {
      throw invalidArgument({
        field: `requests[${index}].role_binding.role_uid`,
        description: "differs from the role of the batch",
      });
    }
    return { identityUid, roleUid: roleUid === "" ? commonRole : roleUid };
  });
  return { parent, bindings };
}
