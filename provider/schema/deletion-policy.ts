import { z } from "zod";
import type { Values } from "./values";
import type { Field } from "./field";
import { local, text } from "./fields";

/** The fate of an object when its resource is deleted. It stays on the platform, or is deleted too. */
export type DeletionPolicy = "retain" | "delete";

/** The argument `deletionPolicy`. An object without one is retained. */
export const deletionPolicy = local(text(z.enum(["retain", "delete"], { error: 'must be "retain" or "delete"' }))) as Field<
  DeletionPolicy,
  "local",
  never
>;

/** True if the object stays on the platform when its resource is deleted. */
export function isRetained(state: Values): boolean {
  return state["deletionPolicy"] !== "delete";
}
