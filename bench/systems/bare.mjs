import { performance } from "node:perf_hooks";
import { Pool } from "undici";

const AT_ONCE = 8;
const PAGE = 200;

/** The lower bound for a client: undici alone sends the fewest requests that the work needs, 8 at once. */
export class Bare {
  #pool;
  #platform;
  #count;
  /** Uids of the created objects, in an order in which they can be deleted. */
  #made = [];

  static async create(_program, { platform, count }) {
    const bare = new Bare();
    bare.#platform = platform;
    bare.#count = count;
    bare.#pool = new Pool(platform.baseUrl, { connections: AT_ONCE });
    return bare;
  }

  /** Runs an operation. Undefined for one that needs no request. */
  async operate(operation) {
    const work = { up: () => this.#create(), refresh: () => this.#read(), destroy: () => this.#delete() }[operation];
    if (work === undefined) return undefined;
    const started = performance.now();
    await work();
    return { seconds: (performance.now() - started) / 1000 };
  }

  close() {
    return this.#pool.close();
  }

  /** Every row of a List, page after page by cursor. */
  async walk(segment) {
    const rows = [];
    let token = "";
    do {
      const page = await this.#page(segment, `&page_token=${encodeURIComponent(token)}`);
      rows.push(...page[segment]);
      token = page.nextPageToken;
    } while (token !== "");
    return rows;
  }

  /** Every row of a List, the pages after the first by offset. */
  async list(segment) {
    const first = await this.#page(segment, "");
    const pages = Math.ceil(Number(first.totalCount) / PAGE);
    const others = await each(pages - 1, (index) => this.#page(segment, `&skip=${(index + 1) * PAGE}`));
    return [first, ...others].flatMap((page) => page[segment]);
  }

  #page(segment, more) {
    const scope = encodeURIComponent(this.#platform.organization);
    return this.#send("GET", `${segment}?uidp.descendants_of=${scope}&page_size=${PAGE}${more}`);
  }

  async #create() {
    const { organization: root, viewer: roleUid } = this.#platform;
    const [groups, robots, bindings] = [2, 1, 0].map((more) => Math.floor((this.#count + more) / 3));
    const named = (name) => ({ name, description: `Owns what ${name} runs` });
    const teams = await each(Math.ceil(groups / 10), (n) => this.#post("groups", root, named(`team-${n}`)));
    const projects = await each(groups - teams.length, (n) =>
      this.#post("groups", teams[Math.floor(n / 9)], named(`project-${n}`)),
    );
    const claimMatch = {
      issuer: "https://token.actions.githubusercontent.com",
      subject: "repo:acme/service:ref:refs/heads/main",
    };
    const robotUids = await each(robots, (n) =>
      this.#post("identities", teams[Math.floor(n / 10)], { ...named(`robot-${n}`), claimMatch }),
    );
    const bindingUids = await each(bindings, (n) =>
      this.#post("roleBindings", teams[Math.floor(n / 10)], { identityUid: robotUids[n], roleUid }),
    );
    const waves = { roleBindings: bindingUids, identities: robotUids, projects, teams };
    this.#made = Object.entries(waves).map(([kind, uids]) => [kind in { projects, teams } ? "groups" : kind, uids]);
  }

  async #read() {
    for (const segment of ["groups", "identities", "roleBindings"]) await this.list(segment);
  }

  async #delete() {
    for (const [segment, uids] of this.#made) await each(uids.length, (n) => this.#send("DELETE", `${segment}/${uids[n]}`));
  }

  async #post(segment, parent, body) {
    return (await this.#send("POST", `${segment}/${parent}`, body)).uid;
  }

  async #send(method, path, body) {
    const headers = { authorization: `Bearer ${this.#platform.token}`, "content-type": "application/json" };
    const answer = await this.#pool.request({
      method,
      path: `/iam/v2beta1/${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

/** The results of `count` calls, 8 of them at any time. */
async function each(count, call) {
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await call(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
