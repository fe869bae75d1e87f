/** `npm run sdk -- python|go FOLDER`: generates the SDK of a language from schema.json, with the engine's own generator. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { announce, Failure, say } from "./lib/message.mjs";
import { checkout } from "./lib/paths.mjs";
import { main } from "./lib/main.mjs";
import { run } from "./lib/child.mjs";

main(async () => {
  const [language, folder] = process.argv.slice(2);
  if (!["python", "go"].includes(language) || !folder) throw new Failure("Usage: npm run sdk -- python|go FOLDER");
  const target = resolve(process.env.INIT_CWD ?? "", folder);
  rmSync(join(target, language === "python" ? "pulumi_platform" : "platform"), { recursive: true, force: true });
  const args = ["run", "-mod=readonly", "-trimpath", "./generate-sdk", language, join(checkout, "schema.json"), target];
  const options = { cwd: join(checkout, "scripts", "engine", "cli"), env: { ...process.env, GOWORK: "off" }, capture: true };
  const { code, output } = await announce(`SDK: generating ${language}`, () => run("go", args, options));
  if (code !== 0) throw new Failure(`The SDK could not be generated with Go:\n${output.trimEnd()}`);
  say(`The SDK is in ${target}.`);
});
