import { servedResources, typeToken } from "../provider/host/plugin/resources";
import type { DynamicType } from "../provider/host/rehearsal/dynamic-provider";
import { composites, kinds, values } from "../provider/kinds/kinds";
import type { ResourceKind } from "../provider/schema/kind";
import { providerText, servedType } from "../sdk/resources/served-type";

/** The dynamic resources of this release, by the type in their URNs. */
export function dynamicTypes(): ReadonlyMap<string, DynamicType> {
  const served = servedResources();
  return new Map(
    Object.values<ResourceKind>({ ...kinds, ...composites, ...values }).flatMap((kind) => {
      const { life } = served.get(typeToken(kind)) ?? {};
      const type = servedType(kind);
      return life === undefined ? [] : [[type.token, { text: providerText(type), life }]];
    }),
  );
}
