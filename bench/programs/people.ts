import { setting } from "./organization";

/** Uids of the groups that the benchmark has made. */
export const groups: readonly string[] = setting("BENCH_GROUPS").split(",");

/** Uids of the identities that the benchmark has made. */
export const people: readonly string[] = setting("BENCH_PEOPLE").split(",");
