import { createCipheriv, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { secretMark, signature } from "../provider/host/engine-marks";

/**
 * A passphrase for one rehearsal, and its encryption, as the engine's secrets provider `passphrase` has them. The passphrase is in no file,
 * so the files of a killed rehearsal stay encrypted.
 */
// See docs/contributing/engine.md#a-private-copy-of-a-stack.
export class Passphrase {
  /** The setting `encryptionsalt` of a stack. */
  readonly salt: string;

  private constructor(
    readonly text: string,
    private readonly key: Buffer,
    salt: Buffer,
  ) {
    this.salt = `v1:${salt.toString("base64")}:${this.encrypt("pulumi")}`;
  }

  static async create(): Promise<Passphrase> {
    const [text, salt] = [randomBytes(32).toString("base64url"), randomBytes(8)];
    return new Passphrase(text, await promisify(pbkdf2)(text, salt, 1_000_000, 32, "sha256"), salt);
  }

  /** A value that only the engine of this rehearsal can decrypt. */
  encrypt(plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const encrypted = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${encrypted.toString("base64")}`;
  }

  /** A part of a state with each of its plain secrets encrypted. */
  encryptedState(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.encryptedState(each));
    if (typeof value !== "object" || value === null) return value;
    const { plaintext, ...others } = value as Record<string, unknown>;
    if (others[signature] === secretMark && typeof plaintext === "string")
      return { ...others, ciphertext: this.encrypt(plaintext) };
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.encryptedState(member)]));
  }
}
