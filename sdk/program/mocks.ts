import * as pulumi from "@pulumi/pulumi";

/**
 * True under `pulumi.runtime.setMocks`. The monitor of a real run is a gRPC client. The class of the mocks is not compared, because a
 * program may load a second copy of the SDK.
 */
export function isMocked(): boolean {
  return pulumi.runtime.hasMonitor() && !("getChannel" in (pulumi.runtime.getMonitor() ?? {}));
}
