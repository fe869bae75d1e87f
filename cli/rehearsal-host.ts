#!/usr/bin/env node
import "./needs-node";
import { effectiveAccess } from "../inventory/effective-access";
import { textOf } from "../provider/client/errors";
import { servedResources, typeToken } from "../provider/host/plugin/resources";
import type { DynamicType } from "../provider/host/rehearsal/dynamic-provider";
import { serveRehearsal } from "../provider/host/rehearsal/serve";
import { composites, kinds, values } from "../provider/kinds/kinds";
import type { ResourceKind } from "../provider/schema/kind";
import { providerText, servedType } from "../sdk/resources/served-type";

// The command `rehearse` starts this process and closes its standard input to end it, also when the command is killed.
process.stdin
  .resume()
  .on("end", () => process.exit(0))
  .on("error", () => process.exit(0));

serveRehearsal([effectiveAccess], dynamicTypes()).then(
  (ports) => {
    process.stdout.write(`${JSON.stringify({ ports })}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${textOf(error)}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  },
);

/** The dynamic resources of this release, by the type in their URNs. */
function dynamicTypes(): ReadonlyMap<string, DynamicType> {
  const served = servedResources();
  return new Map(
    Object.values<ResourceKind>({ ...kinds, ...composites, ...values }).flatMap((kind) => {
      const { life } = served.get(typeToken(kind)) ?? {};
      const type = servedType(kind);
      return life === undefined ? [] : [[type.token, { text: providerText(type), life }]];
    }),
  );
}
