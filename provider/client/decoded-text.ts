import { PlatformError } from "./errors";

/** The encodings that files name by a byte order mark. */
const marked = [
  { encoding: "utf-16le", mark: [0xff, 0xfe] },
  { encoding: "utf-16be", mark: [0xfe, 0xff] },
] as const;

/**
 * The text of a file that another tool wrote, without its byte order mark. It is UTF-8, or UTF-16 with a mark, which `>` of Windows
 * PowerShell writes.
 *
 * @throws PlatformError `INVALID_INPUT` for any other encoding, whose characters would be other ones or lost
 */
export function decodedText(bytes: Uint8Array): string {
  const { encoding = "utf-8" } = marked.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte)) ?? {};
  const text = attempt(encoding, bytes);
  // No file that is read here contains the character, but UTF-16 without a mark does for every letter.
  if (text !== undefined && !text.includes("\0")) return text;
  throw new PlatformError(
    "INVALID_INPUT",
    "it is neither UTF-8 nor UTF-16 with a byte order mark.\nSave it as UTF-8. In PowerShell, pipe into `Out-File -Encoding utf8 FILE` instead of `> FILE`.",
  );
}

function attempt(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
