import { join } from "node:path";
import { firstLine, start } from "../scripts/lib/child.mjs";
import { withoutPlatform } from "../scripts/lib/emulator.mjs";
import { Failure } from "../scripts/lib/message.mjs";
import { checkout } from "../scripts/lib/paths.mjs";

const READY_WITHIN_MS = 30_000;
/** No benchmark takes longer, and a plain client knows no renewal. */
const TOKEN_SECONDS = 6 * 3600;
/** Calls of the admin side at once while an organisation is filled. */
const FILLING_AT_ONCE = 16;

/** An emulator in a process of its own, with what the benchmarks ask of it. */
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
    platform.viewer = objects.find(({ name }) => name === "viewer").uid;
    return platform;
  }

  /** What a program needs to work on it: the product logs in by the token exchange, the baselines are handed a token. */
  get environment() {
    return {
      PLATFORM_BASE_URL: this.baseUrl,
      PLATFORM_ORGANIZATION: this.organization,
      PLATFORM_IDENTITY: this.identity,
      PLATFORM_OIDC_TOKEN_FILE: this.oidcTokenFile,
      BENCH_TOKEN: this.token,
      BENCH_ROLE: this.viewer,
    };
  }

  async admin(method, path, body) {
    const response = await fetch(`${this.adminUrl}/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Failure(`${method} ${path}: the emulator answered ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Forgets the requests that it got so far. */
  forgetRequests() {
    return this.admin("DELETE", "requests");
  }

  /**
   * How often each call came since, by its method and path without uids. Token exchanges and data sources stand apart: the only data
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

  /** Makes `count` objects under the root, a third of each kind, behind everybody's back. */
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

  /** Makes a group under the root, which programs are given for their root from here on. */
  async moveInto(name) {
    const group = await this.admin("POST", "objects/groups", { parent: this.organization, name });
    this.organization = group.uid;
  }

  async stop() {
    await this.#child.stop();
  }
}
