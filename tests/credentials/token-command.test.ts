import { readFileSync, writeFileSync } from "node:fs";
import { createTokenSource } from "../../provider/credentials";
import { runTokenCommand } from "../../provider/credentials/token-command";
import { TokenClock } from "../../provider/credentials/token-clock";
import { errorOf } from "../client/support";
import { startServer } from "../support/http-double";
import { configuration, jwt, seconds, tokenFile } from "./support";
import { expectFailure } from "../support/failures";

/** The tokens that a Node program prints. */
function tokensOf(program: string, now?: () => number, baseUrl = "https://api.example.com") {
  const words = [process.execPath, "-e", program].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const settings = configuration(baseUrl, { PLATFORM_TOKEN_COMMAND: words.join(" ") });
  return createTokenSource(settings, now && { now });
}

describe("a token command", () => {
  test("prints the token, which is kept until the platform rejects it", async () => {
    const counter = tokenFile("0");
    const tokens = tokensOf(
      `const fs = require("fs"); const n = Number(fs.readFileSync("${counter}")) + 1; fs.writeFileSync("${counter}", String(n)); console.log("opaque-" + n)`,
    );
    expect(await tokens.token()).toBe("opaque-1");
    expect(await tokens.token()).toBe("opaque-1");
    expect(tokens.forget("opaque-1")).toBe(true);
    expect(await tokens.token()).toBe("opaque-2");
  });

  test("that prints a JSON Web Token runs again before its end", async () => {
    let now = Date.now();
    const [first, second] = [jwt({ exp: seconds(600, now) }), jwt({ exp: seconds(1_200, now) })];
    const file = tokenFile(first);
    const { url } = await startServer(() => ({ status: 404, headers: { date: new Date(now).toUTCString() } }));
    const tokens = tokensOf(`console.log(require("fs").readFileSync("${file}", "utf8"))`, () => now, url);
    expect(await tokens.token()).toBe(first);
    writeFileSync(file, second);
    now += 541_000;
    expect(await tokens.token()).toBe(second);
    now += 700_000;
    const { message } = await errorOf(tokens.token());
    expect(message).toContain("expired at");
    expect(message).not.toContain(second);
  });

  test.each([
    ["tells its time", {}],
    ["tells no time", { isUndated: true as const }],
  ])("is not run for each call where the clock of this machine is ahead and the platform %s", async (_, answer) => {
    const { url } = await startServer(() => ({ status: 404, ...answer }));
    const log = tokenFile("");
    const token = jwt({ exp: seconds(3_600) });
    const printed = tokenFile(token);
    const program = `const fs = require("fs"); fs.appendFileSync("${log}", "x"); console.log(fs.readFileSync("${printed}", "utf8"))`;
    const tokens = tokensOf(program, () => Date.now() + 7_200_000, url);
    expect(await tokens.token()).toBe(token);
    expect(await tokens.token()).toBe(token);
    expect(readFileSync(log, "utf8")).toBe("x");
  });

  test("gets no input", async () => {
    expect(await tokensOf(`process.stdin.on("end", () => console.log("input-ended")).resume()`).token()).toBe("input-ended");
  });

  test.each([
    ["fails", `console.error("not logged in"); process.exit(3)`, ["exit code 3", "Its stderr: not logged in"]],
    ["prints nothing", ``, ["printed nothing"]],
    ["prints more than a word", `console.log("Your token: abcdefgh")`, ["more than one word"]],
    ["prints far too much", `console.log("x".repeat(1e6))`, ["far more than a token"]],
    ["is killed", `process.kill(process.pid, "SIGTERM")`, ["ended by SIGTERM"]],
  ])("that %s is an error that names it", async (_, program, parts) => {
    const error = await expectFailure(tokensOf(program).token(), "CREDENTIALS");
    for (const part of ["PLATFORM_TOKEN_COMMAND", process.execPath, ...parts]) expect(error.message).toContain(part);
  });

  test("that fails shows neither its token nor its arguments nor all of a long complaint", async () => {
    const program = `console.log("opaque-secret-1"); console.error("x".repeat(5000) + " had opaque-secret-1"); process.exit(1)`;
    const { message } = await errorOf(tokensOf(program).token());
    expect(message).not.toContain("opaque-secret-1");
    expect(message).not.toContain("process.exit");
    expect(message).toContain("had [redacted]");
    expect(message.length).toBeLessThan(1_000);
  });

  test("that does not end is ended", async () => {
    const words = [process.execPath, "-e", "setInterval(() => {}, 1000)"] as const;
    const { message } = await errorOf(() =>
      runTokenCommand(words, "PLATFORM_TOKEN_COMMAND", new TokenClock("https://api.example.com"), 300),
    );
    expect(message).toContain("was still running after 0.3 s");
  });

  test("never shows the value of an assignment before the program, which only a shell would take", async () => {
    const settings = configuration("https://api.example.com", { PLATFORM_TOKEN_COMMAND: "KEY=hunter22 vault token" });
    const { message } = await errorOf(() => createTokenSource(settings).token());
    expect(message).toContain("(KEY) was not found");
    expect(message).not.toContain("hunter22");
  });

  test("that does not exist is an error", async () => {
    const settings = configuration("https://api.example.com", { PLATFORM_TOKEN_COMMAND: "no-such-program-here --now" });
    const { message } = await errorOf(() => createTokenSource(settings).token());
    expect(message).toContain("no-such-program-here");
    expect(message).toContain("was not found");
    expect(message).not.toContain("--now");
  });
});
