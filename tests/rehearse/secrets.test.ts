import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { Passphrase } from "../../rehearse/secrets";

const signature = "4dabf18193072939515e22adb298388d";
const mark = "1b47061264138c4ac30d75fd1eb44270";

/** Decrypts as the engine does. */
function decrypt({ text, salt }: Passphrase, encrypted: string): string {
  const [, saltText = ""] = salt.split(":");
  const key = pbkdf2Sync(text, Buffer.from(saltText, "base64"), 1_000_000, 32, "sha256");
  const [, nonce = "", data = ""] = encrypted.split(":");
  const bytes = Buffer.from(data, "base64");
  const cipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64")).setAuthTag(bytes.subarray(-16));
  return cipher.update(bytes.subarray(0, -16), undefined, "utf8") + cipher.final("utf8");
}

test("a passphrase is new each time, and encrypts every secret of a state as the engine reads it", async () => {
  const [one, other] = await Promise.all([Passphrase.create(), Passphrase.create()]);
  expect(one.text).not.toBe(other.text);
  expect(decrypt(one, one.salt.split(":").slice(2).join(":"))).toBe("pulumi");
  const state = { outputs: { list: [{ [signature]: mark, plaintext: '"a secret"' }], plain: { plaintext: "as it is" } } };
  const encrypted = one.encryptedState(state) as { outputs: { list: [Record<string, string>]; plain: object } };
  const [secret] = encrypted.outputs.list;
  expect(JSON.stringify(encrypted)).not.toContain("a secret");
  expect({ ...secret, ciphertext: decrypt(one, secret["ciphertext"] ?? "") }).toEqual({
    [signature]: mark,
    ciphertext: '"a secret"',
  });
  expect(encrypted.outputs.plain).toEqual({ plaintext: "as it is" });
});
