#!/usr/bin/env node
import "./needs-node";
import { setFlagsFromString } from "node:v8";
import { effectiveAccess } from "../inventory/effective-access";
import { textOf } from "../provider/client/errors";
import { serve } from "../provider/host/plugin/serve";

// A fifth less memory, and no slower: V8 would let the space for new objects grow far beyond what the calls need.
setFlagsFromString("--semi-space-growth-factor=1");

// The engine starts `pulumi-resource-platform` with flags of its own and, last, its address. It reads the port from the first line.
serve(process.argv.slice(2).at(-1) ?? "", [effectiveAccess]).then(
  (port) => {
    process.stdout.write(`${port}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${textOf(error)}\n`);
    process.exitCode = 1;
  },
);
