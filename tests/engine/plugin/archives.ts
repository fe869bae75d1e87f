import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { version } from "../../../package.json";

const system = process.platform === "win32" ? "windows" : process.platform;

const checkout = path.resolve(__dirname, "../../..");

/** Runs a script of the checkout. */
export async function script(name: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(checkout, "scripts", name), ...args], { cwd: checkout });
}

/** The archive that the engine asks for on this machine. */
export const archive = `pulumi-resource-platform-v${version}-${system}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;

/** Serves the files of a folder, as a place to download plugins from, while `use` runs. */
export async function withDownloads(folder: string, use: (address: string) => Promise<unknown>): Promise<void> {
  const server = createServer((request, response) => {
    readFile(path.join(folder, path.basename(request.url ?? ""))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
