import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Puts programs that do what these scripts say into a folder, which is then all of PATH besides the system's. @returns PATH */
export function programsIn(folder: string, scripts: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:/usr/bin:/bin`;
}

/** Programs that seem to do their work: npm, the engine with its language hosts, and the tools of every language. */
export const working: Readonly<Record<string, string>> = {
  npm: 'mkdir node_modules && echo "{}" > package-lock.json',
  pulumi:
    'echo "encryptionsalt: v1:x" >> Pulumi.dev.yaml; echo "$PULUMI_CONFIG_PASSPHRASE_FILE" > state/passphrase-file 2>/dev/null || true',
  ...Object.fromEntries(["nodejs", "python", "go", "java", "yaml"].map((each) => [`pulumi-language-${each}`, "exit 1"])),
  python3:
    'test "$3" != venv || { mkdir -p venv/bin && printf "#!/bin/sh\\nexit 0\\n" > venv/bin/python && chmod +x venv/bin/python; }',
  go: "touch go.sum",
  javac: "exit 1",
  mvn: "mkdir -p target",
};

/** Writes a library of each language as `npm run sdk` lays it out. @returns the value of `--sdk` of each */
export function librariesIn(folder: string): Readonly<Record<string, string>> {
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  write("go/go.mod", "module example.test/sdk/go/platform\n\ngo 1.25.1\n");
  write("java/program.xml", "<project/>\n");
  write("java/src/main/java/test/example/platform/iam/Group.java", "");
  return {
    python: write("acme_platform-0.1.0-py3-none-any.whl", ""),
    go: path.join(folder, "go"),
    java: path.join(folder, "java"),
  };
}
