import { createHash } from "node:crypto";
import type { JsonObject } from "../wire/json";

interface SeedRepo extends JsonObject {
  name: string;
  description: string;
  catalogTier: string;
  readme: string;
  tags: JsonObject[];
}

interface SeedAdvisory extends JsonObject {
  events: JsonObject[];
}

/** The digest of an image, made up from a name. */
export function digestOf(name: string): string {
  return `sha256:${createHash("sha256").update(name).digest("hex")}`;
}

function repo(name: string, description: string, tier: string, ...versions: string[]): SeedRepo {
  const latest = versions.at(-1) ?? "";
  const names = [
    ...versions,
    "latest",
    `${latest}-r2`,
    `${latest}-20260104`,
    `${digestOf(`${name}:${latest}`).replace(":", "-")}.sig`,
  ];
  // All names of one build share its digest. They are version, epoch, date and "latest".
  const tags = names.map((tag) => {
    const version = versions.includes(tag) ? tag : latest;
    return { name: tag, digest: digestOf(`${name}:${version}`), deprecated: version !== latest, bundles: [] };
  });
  const readme = name === "web-server" ? `# ${name}\n\n${description}.\n` : "";
  return { name, description, catalogTier: `CATALOG_TIER_${tier}`, readme, tags };
}

/** Repositories with tags, including tags that lists hide by default (docs/platform-api.md#tags). */
export const seedRepos: readonly SeedRepo[] = [
  repo("static", "Empty base for static binaries", "BASE", "1.0", "1.1"),
  repo("shell", "Base with a shell and core utilities", "BASE", "3.20", "3.21", "3.22"),
  repo("web-server", "HTTP server and reverse proxy", "APPLICATION", "1.26", "1.27"),
  repo("sql-database", "Relational database server", "APPLICATION", "15.9", "16.5", "17.1"),
  repo("key-value-store", "In-memory key-value store", "APPLICATION", "7.2", "7.4"),
  repo("message-queue", "Message broker", "APPLICATION", "3.13", "4.0"),
  repo("script-runtime", "Runtime for scripts", "DEVTOOLS", "22.11", "24.1"),
  repo("crypto-fips", "Validated cryptographic modules", "FIPS", "3.1"),
];

const author = "security@acme.example";
const reviewer = "review@acme.example";
const day = (date: number) => `2026-01-${String(date).padStart(2, "0")}T10:30:00.000Z`;

function advisory(number: number, artifact: string, component: string, score: string, ...history: JsonObject[]): SeedAdvisory {
  const serial = String(number).padStart(4, "0");
  return {
    advisoryId: `ADV-2026-${serial}`,
    author,
    artifactName: artifact,
    artifactType: "apk",
    artifactArchitecture: number % 2 === 0 ? "aarch64" : "x86_64",
    componentName: component,
    componentLocation: `/usr/lib/${component}`,
    componentType: number % 3 === 0 ? "library" : "binary",
    aliases: [`CVE-2099-1${serial}`],
    events: history.map((happening, index) => ({
      createTime: day(number + index),
      author,
      reviewer,
      reviewState: index === history.length - 1 && number % 4 === 0 ? "REVIEW_STATE_PENDING" : "REVIEW_STATE_APPROVED",
      ...happening,
    })),
    severities: score === "" ? [] : [{ type: "TYPE_CVSS_V3", score }],
  };
}

const detected: JsonObject = { detection: { nvdapi: { cpeSearched: "cpe:2.3:a:*", cpeFound: "cpe:2.3:a:example" } } };
const scanned: JsonObject = { detection: { scanv1: { scanner: "example-scanner", componentVersion: "1.0.0" } } };
const fixed = (version: string): JsonObject => ({ fixed: { fixedVersion: version } });

/** Advisories; every event type ends the history of at least one. */
export const seedAdvisories: readonly SeedAdvisory[] = [
  advisory(
    1,
    "web-server",
    "http-parser",
    "7.5",
    detected,
    { truePositiveDetermination: { note: "reachable" } },
    fixed("1.27-r1"),
  ),
  advisory(2, "web-server", "compression", "5.3", detected, {
    falsePositiveDetermination: { type: "TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE", note: "not built" },
  }),
  advisory(3, "sql-database", "planner", "8.8", scanned, fixed("17.1-r2")),
  advisory(4, "sql-database", "tls", "9.1", scanned, { pendingUpstreamFix: { note: "upstream is at work" } }),
  advisory(5, "key-value-store", "lua", "6.5", detected, { fixNotPlanned: { note: "the feature is off" } }),
  advisory(6, "message-queue", "codec", "4.3", detected, { analysisNotPlanned: { note: "old branch" } }),
  advisory(7, "script-runtime", "resolver", "7.1", { detection: { manual: {} } }),
  advisory(8, "script-runtime", "zlib", "", scanned, { patched: { patchedVersions: ["24.1-r3"], note: "patch carried here" } }),
  advisory(9, "shell", "coreutils", "3.3", detected, { truePositiveDetermination: { note: "needs local access" } }),
  advisory(10, "crypto-fips", "libcrypto", "9.8", scanned, fixed("3.1-r4")),
];
