import { join } from "node:path";
import { firstLine, start } from "../scripts/lib/child.mjs";
import { withoutPlatform } from "../scripts/lib/emulator.mjs";
import { Failure } from "../scripts/lib/message.mjs";
import { checkout } from "../scripts/lib/paths.mjs";

const READY_WITHIN_MS = 30_000;
/** Longer than any benchmark, because a plain client does not renew its token. */
const TOKEN_SECONDS = 6 * 3600;
/** Concurrent calls of the admin side while an organisation is filled. */
const FILLING_AT_ONCE = 16;

/** An emulator in a process of its own. */
export class EmulatorProcess {
  #child;

  /** @param data file of the database; none: in memory */
  static async start({ data, latencyMs = 0 } = {}) {
    const platform = new EmulatorProcess();
    const leaveWithParent = new URL("../scripts/lib/leave-with-parent.mjs", import.meta.url).href;
    const tool = join(checkout, "dist", "cli", "main.js");
    const args = ["--import", leaveWithParent, tool, "emulator", "--port", "0", ...(data ? ["--data", data] : [])];
    platform.#child = start("node", args, { env: withoutPlatform(process.env), stdio: ["pipe", "pipe", "inherit"] });
    const line = await firstLine(platform.#child, READY_WITHIN_MS);
    if (!line) throw new Failure("The emulator did not start; its message is above.");
    Object.assign(platform, JSON.parse(line));
    await platform.admin("PATCH", "settings", { latencyMs });
    platform.token = (await platform.admin("POST", "api-tokens", { expiresInSeconds: TOKEN_SECONDS })).token;
    const { objects } = await platform.admin("GET", "objects?kind=roles");
    for (const name of ["viewer", "editor"]) platform[name] = objects.find((role) => role.name === name).uid;
    return platform;
  }

  /** The environment of a program that uses it. The product exchanges a token, while the baselines receive one. */
  get environment() {
    return {
      PLATFORM_BASE_URL: this.baseUrl,
      PLATFORM_ORGANIZATION: this.organization,
      PLATFORM_IDENTITY: this.identity,
      PLATFORM_OIDC_TOKEN_FILE: this.oidcTokenFile,
      BENCH_TOKEN: this.token,
      BENCH_ROLE: this.viewer,
      ...this.people,
    };
  }

  async admin(method, path, body) {
    const response = await fetch(`${this.adminUrl}/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Failure(`${method} ${path}: the emulator answered ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Clears the request log. */
  forgetRequests() {
    return this.admin("DELETE", "requests");
  }

  /**
   * Number of requests since then, by method and path without uids. Token exchanges and data sources are counted separately. The only data
   * source of the benchmarks' program is the role.
   * @returns {Promise<{ exchanges: number, dataSources: number, host: number, calls: Record<string, number> }>}
   */
  async requests() {
    const { requests } = await this.admin("GET", "requests");
    const tally = { exchanges: 0, dataSources: 0, host: 0, calls: {} };
    for (const { method, path } of requests) {
      const [, , , collection, ...uid] = path.split("/");
      if (path.startsWith("/sts/")) tally.exchanges++;
      else if (method === "GET" && collection === "roles") tally.dataSources++;
      else {
        tally.host++;
        const call = `${method} ${collection}${uid.length > 0 ? "/…" : ""}`;
        tally.calls[call] = (tally.calls[call] ?? 0) + 1;
      }
    }
    return tally;
  }

  /** Creates `count` objects under the root, a third of each kind, outside of any program. */
  async fill(count) {
    const parent = this.organization;
    let next = 0;
    const worker = async () => {
      for (let n = next++; 3 * n < count; n = next++) {
        const group = await this.admin("POST", "objects/groups", { parent, name: `filling-${n}`, description: "Fills" });
        if (3 * n + 1 === count) return;
        const claimMatch = { issuer: "https://issuer.example", subject: `filling-${n}` };
        const identity = await this.admin("POST", "objects/identities", { parent: group.uid, name: `filling-${n}`, claimMatch });
        if (3 * n + 2 === count) return;
        await this.admin("POST", "objects/roleBindings", { parent: group.uid, identityUid: identity.uid, roleUid: this.viewer });
      }
    };
    await Promise.all(Array.from({ length: FILLING_AT_ONCE }, worker));
  }

  /** Creates a group under the root and makes it the root of later programs. */
  async moveInto(name) {
    const group = await this.admin("POST", "objects/groups", { parent: this.organization, name });
    this.organization = group.uid;
  }

  /** Creates groups and identities under the root, and passes their uids to programs. */
  async addPeople({ groups, people }) {
    const parent = this.organization;
    const all = async (count, create) =>
      (await Promise.all(Array.from({ length: count }, (_, n) => create(n)))).map(({ uid }) => uid).join(",");
    const claimMatch = (n) => ({ issuer: "https://issuer.example", subject: `person-${n}` });
    this.people = {
      BENCH_GROUPS: await all(groups, (n) => this.admin("POST", "objects/groups", { parent, name: `group-${n}` })),
      BENCH_PEOPLE: await all(people, (n) =>
        this.admin("POST", "objects/identities", { parent, name: `person-${n}`, claimMatch: claimMatch(n) }),
      ),
    };
  }

  async stop() {
    await this.#child.stop();
  }
}
