import { repos } from "../objects/repos";
import { invalidArgument } from "../wire/errors";
import { isObject, stringOf } from "../wire/json";
import { parseMessage } from "../wire/message";
import { messageNamed } from "../contract/messages";
import type { Action } from "./action";
import { Collection } from "./collection";

const path = { kind: repos, suffix: "/readme", on: "object" } as const;
const message = messageNamed("registry.RepoReadme");

/** The README of a repository, kept beside its other fields. */
export const readReadme: Action = {
  ...path,
  method: "GET",
  run({ services, access, uid }) {
    const repo = new Collection(services, repos, access).require(uid, ["CAP_REPO_LIST"]);
    return { uid, content: stringOf(repo.fields["readme"]) };
  },
};

/** Takes a capability that no built-in role holds, because READMEs are written by the platform's own staff. */
export const updateReadme: Action = {
  ...path,
  method: "PATCH",
  run({ services, access, uid, body, query }) {
    const repo = new Collection(services, repos, access).require(uid, ["CAP_REPO_UPDATE", "CAP_REPO_INTERNAL_ADMIN"]);
    const { content = "" } = parseMessage(message, body, { unknownKeys: "refuse" });
    const mask = query.one("update_mask")?.split(",") ?? Object.keys(isObject(body) ? body : {});
    if (mask.some((path) => path !== "content" && path !== "*"))
      throw invalidArgument({ field: "update_mask", description: "content is the only field of a README" });
    if (mask.length > 0) services.store.update({ ...repo, fields: { ...repo.fields, readme: content } });
    return { uid, content: mask.length > 0 ? content : stringOf(repo.fields["readme"]) };
  },
};
