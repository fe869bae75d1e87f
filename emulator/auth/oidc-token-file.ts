import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OidcIssuer } from "./oidc-issuer";

const lifetimeSeconds = 24 * 3600;

/** A file that always holds a valid OIDC token, like the one that a workload platform mounts. */
export class OidcTokenFile {
  #timer: NodeJS.Timeout | undefined;
  #renewed: Promise<void> = Promise.resolve();

  private constructor(
    /** Absolute path. */
    readonly path: string,
    private readonly isTemporary: boolean,
    private readonly issuer: OidcIssuer,
    private readonly subject: string,
  ) {}

  /** Writes the file, next to `data` or in a temporary folder, and renews it until {@link close}. */
  static async create(data: string | undefined, issuer: OidcIssuer, subject: string): Promise<OidcTokenFile> {
    const path =
      data === undefined ? join(await mkdtemp(join(tmpdir(), "platform-emulator-")), "oidc-token") : `${data}.oidc-token`;
    const file = new OidcTokenFile(path, data === undefined, issuer, subject);
    await file.renew();
    // After a failed renewal the token stays valid for three more attempts.
    file.#timer = setInterval(() => void file.renew().catch(() => undefined), (lifetimeSeconds / 4) * 1000).unref();
    return file;
  }

  /** Replaces the token atomically. One renewal runs at a time, because renewals share a file beside it. */
  renew(): Promise<void> {
    const renewed = this.#renewed.then(() => this.#replace());
    this.#renewed = renewed.catch(() => undefined);
    return renewed;
  }

  async #replace(): Promise<void> {
    const token = await this.issuer.mint({ subject: this.subject, expiresInSeconds: lifetimeSeconds });
    await writeFile(`${this.path}.new`, token, { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
  }

  /** Stops the renewal. Deletes the file if it is temporary. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.isTemporary) await rm(dirname(this.path), { recursive: true, force: true });
  }
}
