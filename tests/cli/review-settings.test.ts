import { reviewOf } from "../../cli/review/review";
import {
  acme,
  identity,
  object,
  offline,
  previewOf,
  providerStep,
  reviewed,
  root,
  stays,
  undecidedIn,
  warningsIn,
} from "../support/preview-steps";

const ci = stays("Identity", "ci", identity("ci"));
const objects = [acme, object("Identity", `${root}/ci`, identity("ci"))];
const address = "https://api.acme.example";
const elsewhere = "https://api.other.example";
const own = { arguments: "baseUrl,tokenCommand", baseUrl: elsewhere, tokenCommand: "printenv s3cret" };

/** The review of a preview of a stack with this configuration. */
const configured = (config: object, steps: object[], known: object = { objects, address }, former?: object) => {
  const file = { ...previewOf(ci, ...steps), config: { ...config }, ...(former && { formerSettings: { ...former } }) };
  return reviewOf(file, { ...offline, ...known });
};

describe("settings that change are told", () => {
  const uid = `${root}/ci`;
  test.each<[string, object[], string[]]>([
    [
      "a new provider",
      [providerStep("p", undefined, own)],
      [`provider p is new: baseUrl from none to ${elsewhere}/ and tokenCommand`],
    ],
    [
      "another address and command",
      [providerStep("p", own, { ...own, baseUrl: address, tokenCommand: "printenv t0ken" })],
      [`provider p changes: baseUrl from ${elsewhere}/ to ${address}/ and tokenCommand`],
    ],
    [
      "an identity",
      [providerStep("p", { identity: uid }, { identity: `${uid}2` })],
      [`provider p changes: identity from ${uid} to ${uid}2`],
    ],
    [
      "an address with a password",
      [providerStep("p", {}, { baseUrl: "https://u:s3cret@h.example/?s3cret" })],
      ["provider p changes: baseUrl from none to https://h.example/"],
    ],
    [
      "a text that is no address",
      [providerStep("p", { audience: "s3cret" }, { audience: "s3cret2" })],
      ["provider p changes: audience"],
    ],
    [
      "a plugin",
      [providerStep("p", { __internal: { a: "1" } }, { __internal: { a: "s3cret" } })],
      ["provider p changes: __internal"],
    ],
    ["nothing", [providerStep("p", { __internal: {} }, { __internal: {} })], []],
    ["one that goes", [providerStep("p", own, undefined)], []],
    ["one of another package", [providerStep("p", undefined, own, "aws")], []],
  ])("of a provider: %s", (_, steps, warnings) => {
    const found = reviewed([ci, ...steps], { objects });
    expect(warningsIn(found)).toEqual(warnings);
    expect(undecidedIn(found)).toEqual([]);
  });

  test.each<[string, object, object | undefined, string[]]>([
    ["a mark that goes", {}, { breakGlass: uid }, [`the settings of the stack change: platform:breakGlass from ${uid} to none`]],
    [
      "a setting that comes",
      { "platform:adopt": "true" },
      {},
      ["the settings of the stack change: platform:adopt from none to true"],
    ],
    [
      "a command",
      { "platform:tokenCommand": "a s3cret" },
      { tokenCommand: "s3cret" },
      ["the settings of the stack change: platform:tokenCommand"],
    ],
    ["nothing", { "platform:adopt": "true" }, { adopt: "true" }, []],
    ["nothing that is shown", { "platform:tokenCommand": "[secret]" }, { tokenCommand: "[secret]" }, []],
    ["a first update", { "platform:adopt": "true" }, undefined, []],
  ])("of a stack: %s", (_, config, former, warnings) => {
    expect(warningsIn(configured(config, [], { objects, address }, former))).toEqual(warnings);
  });
});
