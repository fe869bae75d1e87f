/* eslint-disable @typescript-eslint/no-require-imports -- the libraries are slow to load, and few commands need them */

/** The libraries of the engine's protocol, loaded on use, so that commands start fast. */
export function protocol() {
  const { status } = require("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
  const { listen } = require("../provider/host/listen") as typeof import("../provider/host/listen");
  const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb") as typeof import("@pulumi/pulumi/proto/plugin_pb");
  const proto = require("@pulumi/pulumi/proto/provider_pb") as typeof import("@pulumi/pulumi/proto/provider_pb");
  const { Empty } =
    require("google-protobuf/google/protobuf/empty_pb") as typeof import("google-protobuf/google/protobuf/empty_pb");
  const { Struct } =
    require("google-protobuf/google/protobuf/struct_pb") as typeof import("google-protobuf/google/protobuf/struct_pb");
  return { listen, status, PluginInfo, proto, Empty, Struct };
}
