#!/usr/bin/env node
import "./needs-node";
import { dataSources } from "../inventory/data-sources";
import { textOf } from "../provider/client/errors";
import { serveRehearsal } from "../provider/host/rehearsal/serve";
import { construct } from "./components";
import { dynamicTypes } from "./dynamic-types";

// The command `rehearse` starts this process and closes its standard input to end it, also when the command is killed.
process.stdin
  .resume()
  .on("end", () => process.exit(0))
  .on("error", () => process.exit(0));

serveRehearsal({ functions: dataSources, construct, types: dynamicTypes() }).then(
  (ports) => {
    process.stdout.write(`${JSON.stringify({ ports })}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`${textOf(error)}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  },
);
