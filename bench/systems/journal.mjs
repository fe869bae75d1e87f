import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";

/** Longer than any benchmark, in seconds. */
const LEASE = 6 * 3600;

/** The commands of the engine that begin an update. */
const updates = ["update", "preview", "refresh", "destroy"];
/** The kinds of journal entries that are needed here (`JournalEntryKind` in `sdk/go/common/apitype/journal.go` of pulumi/pulumi). */
const [SUCCESS, SECRETS_MANAGER] = [1, 6];

/**
 * A stand-in for Pulumi Cloud, with the necessary part of its API. It accepts the journal of the engine instead of whole checkpoints, and
 * writes each batch of entries to disk before it answers. It serves one stack from a first `up` to a destroy, between which nothing changes.
 */
export class JournalService {
  #server;
  #file;
  #stack;
  #secretsProvider;
  /** By URN, as they were made. */
  #resources = new Map();

  /** @param file for the journal */
  static async start(file) {
    const service = new JournalService();
    service.#file = await open(file, "a");
    service.#server = createServer((request, response) => {
      service.#answer(request).then(
        ([status, body]) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
        (error) => response.writeHead(500).end(JSON.stringify({ code: 500, message: String(error) })),
      );
    });
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    service.url = `http://127.0.0.1:${service.#server.address().port}`;
    return service;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#file.close();
  }

  async #answer(request) {
    const chunks = await request.toArray();
    const sent = Buffer.concat(chunks);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const [path] = request.url.split("?");
    const last = path.split("/").at(-1);
    if (request.method === "POST" && updates.includes(last)) return [200, { updateID: randomUUID() }];
    switch (`${request.method} ${last}`) {
      case "GET user":
        return [200, { githubLogin: "bench", name: "bench", organizations: [{ githubLogin: "bench", name: "bench" }] }];
      case "GET default":
        return [200, { gitHubLogin: "bench" }];
      case "GET capabilities":
        return [200, { capabilities: [] }];
      case "POST complete":
      case "POST batch":
        return [200, {}];
      case "POST renew_lease":
        return [200, lease()];
      case "PATCH journalentries":
        await this.#file.write(Buffer.concat([body, Buffer.from("\n")]));
        await this.#file.datasync();
        for (const entry of JSON.parse(body).entries) this.#take(entry);
        return [200, {}];
    }
    const missing = [404, { code: 404, message: `${request.method} ${path}` }];
    const starts = request.method === "POST" && updates.includes(path.split("/").at(-2));
    if (starts) return [200, { version: 1, journalVersion: 1, ...lease() }];
    if (request.method === "POST") this.#stack = { ...JSON.parse(body), orgName: "bench", projectName: "bench" };
    // Whole checkpoints are refused too, so that the figure is that of a journal.
    else if (request.method !== "GET" || !this.#stack) return missing;
    return [200, last === "export" ? { version: 3, deployment: this.#deployment() } : this.#stack];
  }

  /** Keeps what creates have made. Later entries repeat or remove it. */
  #take({ kind, state, secretsProvider }) {
    if (kind === SECRETS_MANAGER) this.#secretsProvider ??= secretsProvider;
    if (kind === SUCCESS && state && !this.#resources.has(state.urn)) this.#resources.set(state.urn, state);
  }

  #deployment() {
    if (this.#resources.size === 0) return null;
    return { manifest: {}, secrets_providers: this.#secretsProvider, resources: [...this.#resources.values()] };
  }
}

const lease = () => ({ token: "lease", tokenExpiration: Math.floor(Date.now() / 1000) + LEASE });
