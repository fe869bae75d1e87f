import { decodedText } from "../../provider/client/decoded-text";
import { utf16be, utf16le } from "../support/encodings";

const text = '{ "name": "Zoë, 東京, 🚀" }\r\n';

test.each([
  ["UTF-8", Buffer.from(text)],
  ["UTF-8 with a mark", Buffer.from(`\uFEFF${text}`)],
  ["UTF-16 as Windows PowerShell writes it", utf16le(text)],
  ["UTF-16 with the other byte first", utf16be(text)],
])("%s is read as its characters, without a mark", (_, bytes) => {
  expect(decodedText(bytes)).toBe(text);
});

test("an empty file has an empty text", () => {
  expect(decodedText(Buffer.alloc(0))).toBe("");
});

test.each([
  ["Windows-1252", Buffer.from("Zoë", "latin1")],
  ["UTF-16 without a mark", Buffer.from(text, "utf16le")],
  ["UTF-16 that breaks off", utf16le(text).subarray(0, 9)],
])("%s is an error that says what to do", (_, bytes) => {
  expect(() => decodedText(bytes)).toThrow(/neither UTF-8 nor UTF-16.*\nSave it as UTF-8/);
});
