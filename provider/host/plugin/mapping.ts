import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { terraformMapping, terraformProvider } from "../../terraform/mapping";

/** The providers of other tools whose types this one knows, for a converter. */
export function mappings(request: proto.GetMappingsRequest): proto.GetMappingsResponse {
  return new proto.GetMappingsResponse().setProvidersList(isTerraform(request) ? [terraformProvider] : []);
}

/** The mapping of such a provider, or an empty answer if there is none. Engines also ask without a name. */
export function mapping(request: proto.GetMappingRequest): proto.GetMappingResponse {
  const response = new proto.GetMappingResponse();
  if (!isTerraform(request) || !["", terraformProvider].includes(request.getProvider())) return response;
  return response.setProvider(terraformProvider).setData(Buffer.from(JSON.stringify(terraformMapping())));
}

/** Converters of Terraform ask by either key. */
function isTerraform(request: { getKey(): string }): boolean {
  return ["terraform", "tf"].includes(request.getKey());
}
