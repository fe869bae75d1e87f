#!/usr/bin/env node
import "./needs-node";
import { runProgram } from "./program";

// The reader of the output may stop early: `pulumi-platform access | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

void runProgram(process.argv.slice(2));
