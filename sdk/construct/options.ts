import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { hooksOf } from "./runtime";

/**
 * The options of the component in `request`.
 *
 * @param provider reference of the provider that is asked, which serves the resources too unless the program chose another one
 */
export function optionsOf(request: ConstructRequest, provider: string | undefined): pulumi.ComponentResourceOptions {
  const [parent, deletedWith, timeouts] = [
    request.getParent(),
    request.getDeletedwith(),
    request.getCustomtimeouts()?.toObject(),
  ];
  const protect = request.getProtect();
  const retainOnDelete = request.getRetainondelete();
  const hooks = hooksOf(request.getResourceHooks());
  return {
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map((urn) => new pulumi.DependencyResource(urn)),
    ignoreChanges: request.getIgnorechangesList(),
    providers: providersOf(request, provider),
    replaceOnChanges: request.getReplaceonchangesList(),
    ...(parent !== "" && { parent: new pulumi.DependencyResource(parent) }),
    ...(deletedWith !== "" && { deletedWith: new pulumi.DependencyResource(deletedWith) }),
    ...(protect !== undefined && { protect }),
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    ...(timeouts !== undefined && { customTimeouts: timeouts }),
    ...(hooks !== undefined && { hooks }),
  };
}

function providersOf(request: ConstructRequest, own: string | undefined): Record<string, pulumi.ProviderResource> {
  const given = Object.fromEntries(request.getProvidersMap().entries());
  const all = own === undefined ? given : { platform: own, ...given };
  return Object.fromEntries(Object.entries(all).map(([name, ref]) => [name, new pulumi.DependencyProviderResource(ref)]));
}

function aliasOf(alias: Alias): pulumi.URN | pulumi.Alias {
  const spec = alias.getSpec();
  if (spec === undefined) return alias.getUrn();
  const named = { name: spec.getName(), type: spec.getType(), project: spec.getProject(), stack: spec.getStack() };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""));
  if (spec.hasParenturn()) return { ...given, parent: spec.getParenturn() };
  return spec.getNoparent() ? { ...given, parent: pulumi.rootStackResource } : given;
}
