import { z } from "zod";
import { objectUid, text } from "../client/collection";
import { uid } from "../schema/inputs";
import { repo } from "../kinds/repo";
import type { ClientSource } from "./source";

/** The README of a repo (docs/platform-api.md#repositories). */
export interface RepoReadme {
  /** Uid of the repo. */
  readonly uid: string;
  /** Its text, as Markdown; empty if the repo has none. */
  readonly content: string;
}

const answer: z.ZodType<RepoReadme> = z.looseObject({ uid: objectUid, content: text });

/** The README of a repo. */
export const repoReadme: ClientSource<RepoReadme> = {
  call: "getRepoReadme",
  area: "registry",
  rules: () => ({ uid }),
  usage: "the README of which repo? Pass uid.",
  async read(asked, client) {
    return client.getPart(repo.collection, String(asked["uid"]), "readme", answer);
  },
};
