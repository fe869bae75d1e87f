/** `text` as `>` of Windows PowerShell writes it, in UTF-16 with a byte order mark. */
export function utf16le(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, "utf16le");
}

/** `text` in UTF-16 with its bytes in the other order. */
export function utf16be(text: string): Buffer {
  return utf16le(text).swap16();
}
