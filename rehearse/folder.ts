import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const prefix = "pulumi-platform-rehearsal-";

/** A folder without its socket is younger than this while its process starts. In milliseconds. */
const longestStart = 60_000;

/**
 * A folder of one rehearsal, which only this user can read. A socket in it is open as long as its process lives, so that a later run knows
 * the folder of a killed one.
 */
export class PrivateFolder {
  private constructor(
    readonly path: string,
    private readonly sign: Server,
  ) {}

  /** Makes a folder. Folders of killed rehearsals are removed first. */
  static async create(parent = tmpdir()): Promise<PrivateFolder> {
    await removeDead(parent);
    const folder = path.join(parent, `${prefix}${randomUUID().slice(0, 8)}`);
    await mkdir(folder, { mode: 0o700 });
    const sign = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => sign.once("error", reject).listen(signIn(folder), resolve));
    sign.unref();
    return new PrivateFolder(folder, sign);
  }

  /** The path of a file or folder in it. */
  in(...names: readonly string[]): string {
    return path.join(this.path, ...names);
  }

  /** Removes the folder at once. It may be called again. */
  remove(): void {
    this.sign.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Removes the folders of this user whose processes no longer live. */
async function removeDead(parent: string): Promise<void> {
  const found = readdirSync(parent).filter((name) => name.startsWith(prefix));
  for (const name of found) {
    const folder = path.join(parent, name);
    if (await isDead(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

async function isDead(folder: string): Promise<boolean> {
  const { uid, birthtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  if (birthtimeMs === undefined || (process.getuid !== undefined && uid !== process.getuid())) return false;
  return new Promise((resolve) => {
    const socket = connect(signIn(folder));
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      resolve(code === "ECONNREFUSED" || (code === "ENOENT" && Date.now() - birthtimeMs > longestStart));
    });
  });
}

/** Windows has no sockets in folders, only pipes by name. */
function signIn(folder: string): string {
  return process.platform === "win32" ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, "alive");
}
