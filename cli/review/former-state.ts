import { z } from "zod";
import { kindOfType } from "../../inventory/kinds";
import { hiddenSecret } from "../../preview/seen";
import { PlatformError } from "../../provider/client/errors";
import { valueOf } from "../shell/files";
import { stackState } from "../shell/stack";
import { engineInputs, isProviderType, type ProviderInputs, settingsIn } from "./providers";

const resource = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  delete: z.boolean().default(false),
  external: z.boolean().default(false),
  inputs: z.record(z.string(), z.unknown()).optional(),
});

const state = z.looseObject({ deployment: z.looseObject({ resources: z.array(resource).nullish() }).nullish() });

/** The facts of a stack's state that previews do not show. */
interface FormerState {
  /**
   * The settings of the platform at the last update, which the engine keeps in its default providers. A secret is {@link hiddenSecret}.
   * Undefined before the first update, and if the state cannot be read.
   */
  readonly settings?: ProviderInputs;
  /** The objects that an earlier update has replaced and not deleted. The next update deletes them. */
  readonly replaced: readonly { readonly urn: string; readonly id: string }[];
}

/** Reads the state of a stack. */
export async function formerStateOf(stack: string): Promise<FormerState> {
  const text = await stackState(stack).catch((error: unknown) => {
    if (error instanceof PlatformError) return "";
    throw error;
  });
  const { data } = state.safeParse(valueOf(text));
  const resources = data?.deployment?.resources ?? [];
  const replaced = resources.filter((each) => each.delete && !each.external && kindOfType(each.type) !== undefined);
  const defaults = resources.filter(({ urn, type }) => isProviderType(type) && /::default(_[^:]*)?$/.test(urn));
  const inputs = defaults.flatMap((each) => Object.entries(settingsIn(each.inputs ?? {})));
  const settings = inputs.filter(([key]) => key !== "__internal" && !engineInputs.includes(key));
  return {
    replaced,
    ...(defaults.length > 0 && {
      settings: Object.fromEntries(settings.map(([key, value]) => [key, typeof value === "object" ? hiddenSecret : value])),
    }),
  };
}
