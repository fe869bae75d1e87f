import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OidcIssuer } from "./oidc-issuer";

const lifetimeSeconds = 24 * 3600;

/** A file that always holds a valid OIDC token, as workload platforms provide one. */
export class OidcTokenFile {
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    /** Where it is. */
    readonly path: string,
    private readonly isTemporary: boolean,
    private readonly issuer: OidcIssuer,
    private readonly subject: string,
  ) {}

  /** Writes the file, beside `data` or in a folder of its own, and keeps renewing it. */
  static async create(data: string | undefined, issuer: OidcIssuer, subject: string): Promise<OidcTokenFile> {
    const path =
      data === undefined ? join(await mkdtemp(join(tmpdir(), "platform-emulator-")), "oidc-token") : `${data}.oidc-token`;
    const file = new OidcTokenFile(path, data === undefined, issuer, subject);
    await file.renew();
    // A renewal that fails leaves a token that is good for three more tries.
    file.timer = setInterval(() => void file.renew().catch(() => undefined), (lifetimeSeconds / 4) * 1000).unref();
    return file;
  }

  /** Writes a new token; readers see either the old one or the new one whole. */
  async renew(): Promise<void> {
    const token = await this.issuer.mint({ subject: this.subject, expiresInSeconds: lifetimeSeconds });
    await writeFile(`${this.path}.new`, token, { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
  }

  /** Stops renewing; removes the file where nobody asked to keep data. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    if (this.isTemporary) await rm(dirname(this.path), { recursive: true, force: true });
  }
}
