#!/usr/bin/env node
import "./needs-node";
import { createInterface } from "node:readline";
import { dataSources } from "../inventory/data-sources";
import { bindProcess } from "../provider/client/bounds";
import { textOf } from "../provider/client/errors";
import { serveBound } from "../provider/host/rehearsal/serve";
import { RehearsedOnly } from "../rehearse/bounds";
import { construct } from "./components";
import { dynamicTypes } from "./dynamic-types";
import type { BoundOrder } from "./up/bound-host";

// The command `up` starts this process, and closes its standard input to end it, also when the command is killed. Its first line has the
// credentials: other processes of this user can read the environment with which a process starts.
createInterface({ input: process.stdin })
  .once("line", (line) => {
    obey(JSON.parse(line) as BoundOrder).catch((error: unknown) => {
      process.stderr.write(`${textOf(error)}\n`);
      process.exit(1);
    });
  })
  .once("close", () => process.exit(0));

async function obey({ environment, ledger, origins }: BoundOrder): Promise<void> {
  Object.assign(process.env, environment);
  bindProcess(new RehearsedOnly(ledger, origins));
  process.stdout.write(
    `${JSON.stringify({ ports: await serveBound({ functions: dataSources, construct, types: dynamicTypes() }) })}\n`,
  );
}
