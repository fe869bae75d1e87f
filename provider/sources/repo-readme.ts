import { z } from "zod";
import { text } from "../client/collection";
import { uid } from "../kinds/inputs";
import { repo } from "../kinds/repo";
import type { ClientSource } from "./source";

/** What a repo's README says (docs/platform-api.md#repositories). */
export interface RepoReadme {
  /** Its text, as Markdown; empty if the repo has none. */
  readonly content: string;
}

const answer: z.ZodType<RepoReadme> = z.looseObject({ content: text });

/** The README of a repo. */
export const repoReadme: ClientSource<RepoReadme> = {
  call: "getRepoReadme",
  area: "registry",
  rules: () => ({ uid }),
  usage: "the README of which repo? Pass uid.",
  async read(asked, client) {
    const { content } = await client.getPart(repo.collection, String(asked["uid"]), "readme", answer);
    return { content };
  },
};
