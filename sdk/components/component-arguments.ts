import { z } from "zod";
import { uid } from "../../provider/schema/inputs";
import { isEventual } from "../program/arguments";

/** The uid of a group, or an output of it. */
export const eventualUid = z.any().superRefine((value, context) => {
  if (isEventual(value)) return;
  for (const { message } of uid.safeParse(value).error?.issues ?? []) context.addIssue({ code: "custom", message });
});

/** Any value: what it holds is checked later. */
export const anything = z.any().refine((value) => value !== undefined, "has no value");

/** `args` without those that have no value. */
export function withValues(args: unknown): object {
  if (typeof args !== "object" || args === null) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
