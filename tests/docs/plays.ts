import type { Play } from "./play";
import { commandPlays } from "./plays-of-commands";
import { guidePlays } from "./plays-of-guides";
import { pagePlays } from "./plays-of-pages";

/** The blocks whose situation is not just a program in its folder, by {@link ShellBlock.key}. */
export const plays: Readonly<Record<string, Play>> = { ...pagePlays, ...guidePlays, ...commandPlays };
