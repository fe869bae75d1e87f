import { execFileSync } from "node:child_process";
import path from "node:path";

const dist = path.resolve(__dirname, "../../dist");

/** The files that are loaded with one of the package. */
function loadedWith(file: string): string[] {
  const script = `require(${JSON.stringify(path.join(dist, file))}); process.stdout.write(JSON.stringify(Object.keys(require.cache)));`;
  return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) as string[];
}

test("the engine's dynamic host loads no gRPC and nothing of the native plugin", () => {
  expect(loadedWith("provider/index.js").filter((file) => /grpc|protobuf|host.plugin/.test(file))).toEqual([]);
});

test("a program loads nothing of the native plugin, whichever classes it uses", () => {
  for (const file of ["sdk/index.js", "sdk/native/index.js"])
    expect(loadedWith(file).filter((each) => /dist.provider.host.plugin/.test(each))).toEqual([]);
});
