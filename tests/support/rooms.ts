import { include } from "../../tsconfig.build.json";

/** The folders of the product's sources. */
export const rooms: readonly string[] = include;
