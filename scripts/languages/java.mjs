import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../lib/lock.mjs";
import { checkout, toolCache } from "../lib/paths.mjs";
import { packageSchema } from "../lib/schema.mjs";
import { claimTypes } from "./claims.mjs";
import { generateSdk, GO } from "./tools.mjs";

/** The libraries of the generated code. */
const LIBRARIES = ["com.pulumi:pulumi:1.36.1", "com.google.code.findbugs:jsr305:3.0.2", "com.google.code.gson:gson:2.13.2"];
const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));

/** The library's coordinates. The group is the package that contains the library's, as Pulumi's own generator of builds has it. */
const sdk = () => `${packageSchema().language.java.basePackage}:platform:${version}`;

/** Java, with a library that is installed into Maven's local repository. */
export const java = {
  needs: [
    ["javac", ["-version"], "11", "a JDK, such as https://adoptium.net"],
    ["mvn", ["--version"], "3.8", "Maven from https://maven.apache.org"],
    GO,
  ],

  /** All checkouts install the library in the same place. */
  alone: (use) => withLock(join(toolCache(), "java.lock"), "another command builds or tests the SDK of Java", use),

  async build(work, folder) {
    await generateSdk(work, folder);
    takeClaims(folder);
    writeFileSync(join(folder, "pom.xml"), pom(sdk(), LIBRARIES));
    writeFileSync(join(folder, "program.xml"), pom("program:program:0.0.0", [sdk()]));
    await maven(work, "compiling and installing the library", folder, "install");
    return `${join(folder, "program.xml")} is the pom.xml of a program.`;
  },

  async check(work, { folder, examples }) {
    const programs = join(folder, "examples");
    examples.forEach((text, index) => writeClass(programs, `example${index}`, text));
    writeFileSync(join(programs, "pom.xml"), pom("examples:examples:0.0.0", [sdk()]));
    await maven(work, `compiling ${examples.length} examples`, programs, "compile");
  },

  library: (sdk) => sdk,

  async project(_work, { project, text }) {
    writeClass(project, "generated_program", compilable(text));
    writeFileSync(join(project, "pom.xml"), pom("program:program:0.0.0", [sdk()]));
    return { runtime: "java" };
  },
};

/** Gives each class of arguments a method that makes it from the result of a claim helper, which is another class. */
function takeClaims(folder) {
  const places = join(folder, "src", "main", "java", "com", "pulumi", "platform", "iam", "inputs");
  for (const [name, type] of Object.entries(claimTypes())) {
    const file = join(places, `${name}Args.java`);
    const text = readFileSync(file, "utf8");
    const end = text.lastIndexOf("}");
    writeFileSync(file, `${text.slice(0, end)}${claimsMethod(name, type)}}\n`);
  }
}

function claimsMethod(name, { properties, required }) {
  const members = Object.entries(properties).map(([member, { type }]) => {
    if (required.includes(member)) return `builder.${member}(claims.${member}());`;
    const isMany = type === "array" || type === "object";
    return isMany
      ? `if (!claims.${member}().isEmpty()) builder.${member}(claims.${member}());`
      : `claims.${member}().ifPresent(value -> builder.${member}(value));`;
  });
  return `
    /** The claims that a function such as {@code githubActions} returns, as an argument. */
    public static ${name}Args of(com.pulumi.platform.iam.outputs.${name} claims) {
        final var builder = builder();
        ${members.join("\n        ")}
        return builder.build();
    }
`;
}

/** A uid as a member of an `access`, which may also be an object. */
const member = (uid) => `com.pulumi.core.Either.<String, com.pulumi.platform.iam.inputs.AccessMemberArgs>ofLeft(${uid})`;

/** Corrects the converter's text for Java's SDK, which needs outputs of maps instead of maps with outputs, and members of enums. */
function compilable(text) {
  const access = `Output.tuple(release.id(), person).applyValue(both ->
            Map.of("editor", Map.of("release", ${member("both.t1")}), "owner", Map.of("mia", ${member("both.t2.uid()")})))`;
  const bindings = `ingester.id().applyValue(id -> Map.of("ingester", id))`;
  return text
    .replaceAll('.deletionPolicy("delete")', ".deletionPolicy(com.pulumi.platform.registry.enums.DeletionPolicy.Delete)")
    .replace(/(?<=\.access\()Map\.ofEntries\(.*?\n *\)(?=\))/s, access)
    .replace(/(?<=\.serviceBindings\()Map\.of\("ingester", ingester\.id\(\)\)/, bindings);
}

function writeClass(folder, name, text) {
  const sources = join(folder, "src", "main", "java", name);
  mkdirSync(sources, { recursive: true });
  writeFileSync(join(sources, "App.java"), text.replace("package generated_program;", `package ${name};`));
}

const maven = (work, what, folder, goal) =>
  work.run(what, "mvn", ["--batch-mode", "--quiet", "--no-transfer-progress", goal], { cwd: folder });

/** `group:name:version` as elements. */
const coordinates = (text) => {
  const [group, name, release] = text.split(":");
  return `<groupId>${group}</groupId><artifactId>${name}</artifactId><version>${release}</version>`;
};
const dependency = (text) => `    <dependency>${coordinates(text)}</dependency>`;

/** The generator writes a build for Gradle only. */
const pom = (project, libraries) => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  ${coordinates(project)}
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
${libraries.map(dependency).join("\n")}
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>exec-maven-plugin</artifactId>
        <version>3.5.0</version>
        <configuration>
          <mainClass>generated_program.App</mainClass>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;
