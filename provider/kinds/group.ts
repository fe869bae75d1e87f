import { z } from "zod";
import { groups, identities, roleBindings, roles, type WireGroup } from "../client/iam";
import { literal } from "../client/printable";
import { repos } from "../client/registry";
import { plainText, someText, uid } from "./inputs";
import type { Kind } from "./kind";

const name = someText.refine((text) => text === "" || /^[a-z0-9 ._-]{1,}$/.test(text), {
  error: (issue) =>
    `${literal(issue.input)} may hold only lowercase letters, digits, spaces, dots, underscores and hyphens (a name left out is the logical name)`,
});

const childrenOf = (parentUid: string) => ({ childrenOf: parentUid });

/** A group: a node of the organisation's tree (SPEC §2). */
export const group: Kind<WireGroup> = {
  collection: groups,
  inputs: z.strictObject({ parentUid: uid, name, description: plainText.nullish() }),
  immutable: ["parentUid"],
  naturalKey: ["name"],
  lookup: (inputs) => ({ name: inputs["name"] }),
  read: ({ name, description }) => ({ name, description }),
  outputs: ({ createTime }) => ({ createTime }),
  calls: { delete: "refuses missing" },
  blockers: [groups, identities, roles, roleBindings, repos].map((collection) => ({ collection, query: childrenOf })),
};
