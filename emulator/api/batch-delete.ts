import { externalGroupRoleMappings } from "../objects/external-group-role-mappings";
import { identityProviders } from "../objects/identity-providers";
import { invalidArgument } from "../wire/errors";
import { stringOf } from "../wire/json";
import { messageNamed } from "../contract/messages";
import { parseMessage } from "../wire/message";
import type { Action } from "./action";
import { Collection } from "./collection";

/** Deletes several mappings of one identity provider. Skips missing ones. */
export const batchDelete: Action = {
  method: "POST",
  kind: externalGroupRoleMappings,
  suffix: ":batchDelete",
  on: "collection",

  run({ services, access, body }) {
    const batch = parseMessage(messageNamed("iam.BatchDeleteExternalGroupRoleMappingsRequest"), body);
    const parent = stringOf(batch["parent"]);
    const names = (batch["names"] ?? []) as string[];
    new Collection(services, identityProviders, access).require(parent, ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"]);
    if (names.length === 0) throw invalidArgument({ field: "names", description: "must name at least one mapping" });
    const foreign = names.findIndex((name) => !name.startsWith(`${parent}/`));
    if (foreign !== -1) {
      const description = `${names[foreign] ?? ""} is not a mapping of ${parent}`;
      throw invalidArgument({ field: `names[${foreign}]`, description });
    }
    const { store } = services;
    const mappings = new Collection(services, externalGroupRoleMappings, access);
    const rows = [...new Set(names)].flatMap((name) => store.get(externalGroupRoleMappings.collection, name) ?? []);
    const deleted = rows.map((row) => mappings.show(row));
    for (const { uid } of rows) store.remove(uid);
    return { parent, externalGroupRoleMappings: deleted };
  },
};
