/** A plugin that does no I/O and answers what the product would answer. Prints its port, as the engine asks. */
const process = require("node:process");
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const proto = require("@pulumi/pulumi/proto/provider_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const providers = require("./nothing-provider.cjs");

const { DIFF_NONE } = proto.DiffResponse.DiffChanges;
const provider = (request) => {
  const name = request.getType().split(":").at(-1);
  return providers[name.charAt(0).toLowerCase() + name.slice(1)];
};
const answers = {
  handshake: () => new proto.ProviderHandshakeResponse(),
  getPluginInfo: () => new PluginInfo().setVersion("0.1.0"),
  checkConfig: (request) => new proto.CheckResponse().setInputs(request.getNews()),
  diffConfig: () => new proto.DiffResponse().setChanges(DIFF_NONE),
  configure: () => new proto.ConfigureResponse().setSupportspreview(true),
  check: (request) => new proto.CheckResponse().setInputs(request.getNews()),
  diff: () => new proto.DiffResponse().setChanges(DIFF_NONE),
  create: async (request) => {
    const { id, outs } = await provider(request).create(request.getProperties().toJavaScript());
    return new proto.CreateResponse().setId(id).setProperties(Struct.fromJavaScript(outs));
  },
  read: (request) =>
    new proto.ReadResponse().setId(request.getId()).setProperties(request.getProperties()).setInputs(request.getInputs()),
  delete: () => new Empty(),
  cancel: () => new Empty(),
};

const server = new Server();
server.addService(
  ResourceProviderService,
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      ({ request }, done) => Promise.resolve(answer(request)).then((response) => done(null, response), done),
    ]),
  ),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, port) => process.stdout.write(`${port}\n`));
process.once("SIGINT", () => process.exit(0));
