/**
 * Sets the V8 flag that `@pulumi/pulumi` sets when it is loaded. V8 takes compiled modules from its cache only if the flags are those
 * they were compiled with, and the program and the provider host would load most of theirs on different sides of that moment.
 */
require("node:v8").setFlagsFromString("--allow-natives-syntax");
