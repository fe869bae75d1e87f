import { z } from "zod";
import { hiddenSecret } from "../../preview/seen";
import { PlatformError } from "../../provider/client/errors";
import { valueOf } from "../shell/files";
import { stackState } from "../shell/stack";
import { engineInputs, isProviderType, type ProviderInputs, settingsIn } from "./providers";

const state = z.looseObject({
  deployment: z
    .looseObject({
      resources: z
        .array(z.looseObject({ urn: z.string(), type: z.string(), inputs: z.record(z.string(), z.unknown()).optional() }))
        .nullish(),
    })
    .nullish(),
});

/**
 * The settings of the platform at the last update of a stack, which the engine keeps in its default providers. A secret is
 * {@link hiddenSecret}.
 *
 * @returns undefined before the first update, or if the state cannot be read
 */
export async function formerSettingsOf(stack: string): Promise<ProviderInputs | undefined> {
  const text = await stackState(stack).catch((error: unknown) => {
    if (error instanceof PlatformError) return "";
    throw error;
  });
  const { data } = state.safeParse(valueOf(text));
  const defaults = (data?.deployment?.resources ?? []).filter(
    ({ urn, type }) => isProviderType(type) && /::default(_[^:]*)?$/.test(urn),
  );
  if (defaults.length === 0) return undefined;
  const inputs = defaults.flatMap((each) => Object.entries(settingsIn(each.inputs ?? {})));
  const settings = inputs.filter(([key]) => key !== "__internal" && !engineInputs.includes(key));
  return Object.fromEntries(settings.map(([key, value]) => [key, typeof value === "object" ? hiddenSecret : value]));
}
