import { refusal, useBench } from "./support";

const bench = useBench();
let repo: string;
beforeAll(async () => {
  const { repos } = await bench.ok("GET", "/registry/v2beta1/repos?name=web-server");
  repo = String((repos as { uid: string }[])[0]?.uid);
});

describe("repos", () => {
  test("live as groups do: create, read, update, delete", async () => {
    const created = await bench.ok("POST", `/registry/v2beta1/repos/${bench.root}`, { name: "mine", bundles: ["base"] });
    const path = `/registry/v2beta1/repos/${String(created["uid"])}`;
    expect(created).toMatchObject({
      bundles: ["base"],
      aliases: [],
      catalogTier: "CATALOG_TIER_UNSPECIFIED",
      sync_config: null,
      customOverlay: null,
    });
    expect(await bench.ok("PATCH", path, { description: "x", catalogTier: "CATALOG_TIER_BASE" })).toMatchObject({
      description: "x",
      catalogTier: "CATALOG_TIER_BASE",
    });
    await bench.ok("DELETE", path);
    expect((await bench.api("GET", path)).status).toBe(404);
  });

  test("sync settings are known by their snake_case key only", async () => {
    const ignored = await bench.ok("POST", `/registry/v2beta1/repos/${bench.root}`, {
      name: "camel",
      syncConfig: { source: "x" },
    });
    expect(ignored["sync_config"]).toBeNull();
    const kept = await bench.ok("POST", `/registry/v2beta1/repos/${bench.root}`, {
      name: "snake",
      sync_config: { source: repo },
    });
    expect(kept["sync_config"]).toMatchObject({ source: repo, uniqueTags: false, expirationTime: expect.any(String) as unknown });
  });

  test.each(["web-server", "registry.example/acme.example/web-server:1.27"])(
    "the source %s is answered as a uid, and gives the description",
    async (source) => {
      const created = await bench.ok("POST", `/registry/v2beta1/repos/${bench.root}`, {
        name: `from ${source}`,
        sync_config: { source },
      });
      expect(created).toMatchObject({ sync_config: { source: repo }, description: "HTTP server and reverse proxy" });
    },
  );

  test("what a synchronized repo takes from its source cannot be changed", async () => {
    const created = await bench.ok("POST", `/registry/v2beta1/repos/${bench.root}`, {
      name: "synced",
      sync_config: { source: repo },
    });
    const path = `/registry/v2beta1/repos/${String(created["uid"])}`;
    for (const body of [{ catalogTier: "CATALOG_TIER_BASE" }, { bundles: ["base"] }, { aliases: ["a:b"] }, { activeTags: ["t"] }])
      expect(await bench.api("PATCH", path, body)).toMatchObject(refusal.invalid);
    const described = await bench.ok("PATCH", path, { description: "mine", sync_config: { source: "web-server", google: "g" } });
    const { expirationTime } = created["sync_config"] as { expirationTime: string };
    expect(described).toMatchObject({ description: "mine", sync_config: { source: repo, google: "g", expirationTime } });
    expect(await bench.ok("PATCH", path, { sync_config: null })).toMatchObject({ sync_config: null });
    expect(await bench.ok("PATCH", path, { bundles: ["base"] })).toMatchObject({ bundles: ["base"] });
  });

  test("fields of the catalog can be closed to customers: refused, or ignored silently", async () => {
    const path = `/registry/v2beta1/repos/${bench.root}`;
    await bench.settings({ catalogFields: "refused" });
    expect(await bench.api("POST", path, { name: "refused", bundles: ["base"] })).toMatchObject(refusal.denied);
    const { uid } = await bench.ok("POST", path, { name: "plain", description: "x", bundles: [] });
    await bench.settings({ catalogFields: "ignored" });
    const changes = { description: "y", aliases: ["a:b"] };
    const changed = await bench.ok("PATCH", `/registry/v2beta1/repos/${String(uid)}`, changes);
    expect(changed).toMatchObject({ description: "y", aliases: [] });
  });

  test.each([
    ["an unknown bundle", { bundles: ["nope"] }, "bundles"],
    ["an alias without a tag", { aliases: ["name"] }, "aliases"],
    ["no name", { name: "" }, "name"],
    ["a source that does not exist", { sync_config: { source: "nowhere" } }, "sync_config.source"],
    [
      "a reserved annotation",
      { customOverlay: { annotations: { "org.opencontainers.title": "x" } } },
      "custom_overlay.annotations",
    ],
    [
      "a user of an image without a name",
      { customOverlay: { accounts: { users: [{ username: "app" }, { uid: 1 }] } } },
      "custom_overlay.accounts.users.username",
    ],
  ])("%s is rejected", async (what, body, field) => {
    const reply = await bench.api("POST", `/registry/v2beta1/repos/${bench.root}`, { name: what, ...body });
    expect(reply.body).toMatchObject({ code: 3, details: [{}, { fieldViolations: [{ field }] }] });
  });

  test("its errors name the registry as their domain", async () => {
    const reply = await bench.api("POST", `/registry/v2beta1/repos/${bench.root}`, {});
    expect(reply.body).toMatchObject({ details: [{ domain: expect.stringMatching(/^registry\./) as unknown }, {}] });
  });
});

describe("tags", () => {
  const tags = (query: string) => bench.column("name", `/registry/v2beta1/tags?uidp.children_of=${repo}&order_by=name&${query}`);
  const hidden = /-20\d{6}$|-r\d+$|^sha256-/;

  test.each([
    ["", []],
    ["include_dates=true", [/-20\d{6}$/]],
    ["include_epochs=true", [/-r\d+$/]],
    ["include_referrers=true", [/^sha256-/]],
    ["includeDates=true&includeEpochs=true&includeReferrers=true", [/-20\d{6}$/, /-r\d+$/, /^sha256-/]],
  ])("with %p the list shows the sorts asked for, besides plain tags", async (query, sorts) => {
    const shown = (await tags(query)).map(String);
    expect(shown).toEqual(expect.arrayContaining(["1.27", "latest"]));
    const special = shown.filter((name) => hidden.test(name));
    expect(special).toHaveLength(sorts.length);
    for (const sort of sorts) expect(special.some((name) => sort.test(name))).toBe(true);
  });

  test("a hidden tag is found by uid, not by name", async () => {
    const { tags: found } = await bench.ok(
      "GET",
      `/registry/v2beta1/tags?uidp.children_of=${repo}&include_epochs=true&name=1.27-r2`,
    );
    const [tag] = found as { uid: string }[];
    expect(await tags("name=1.27-r2")).toEqual([]);
    expect(await bench.ok("GET", `/registry/v2beta1/tags/${tag?.uid ?? ""}`)).toMatchObject({ name: "1.27-r2" });
  });

  test("digest and updated_since narrow the list", async () => {
    const { tags: latest } = await bench.ok("GET", `/registry/v2beta1/tags?uidp.children_of=${repo}&name=latest`);
    expect(await tags(`digest=${(latest as { digest: string }[])[0]?.digest ?? ""}`)).toEqual(["1.27", "latest"]);
    expect(await tags("updated_since=2027-01-01T00:00:00Z")).toEqual([]);
    expect(await tags("updated_since=2026-01-01T00:00:00Z")).toContain("latest");
    for (const time of ["yesterday", "2026-01-01T00:00:00"])
      expect((await bench.api("GET", `/registry/v2beta1/tags?updated_since=${time}`)).status).toBe(400);
  });

  test("creating one that exists moves it", async () => {
    const create = (digest: string) => bench.ok("POST", `/registry/v2beta1/tags/${repo}`, { name: "stable", digest });
    const [first, second] = [await create("sha256:1"), await create("sha256:2")];
    expect(second).toMatchObject({ uid: first["uid"], digest: "sha256:2" });
    expect(second).not.toHaveProperty("createTime");
    await bench.ok("DELETE", `/registry/v2beta1/tags/${String(first["uid"])}`);
  });

  test("have no order by creation time", async () => {
    expect((await bench.api("GET", "/registry/v2beta1/tags?order_by=created_at")).status).toBe(400);
  });
});

describe("advisory filters", () => {
  const ids = async (query: string) =>
    (await bench.column("advisoryId", `/vulnerabilities/v2beta1/advisories?page_size=200&${query}`)).map(String).sort();
  const number = (...numbers: number[]) => numbers.map((each) => `ADV-2026-${String(each).padStart(4, "0")}`);

  test.each([
    ["advisory_ids=ADV-2026-0001&advisory_ids=ADV-2026-0003", [1, 3]],
    ["legacy_advisory_ids=none", []],
    ["artifact_names=web-server", [1, 2]],
    ["artifact_names=web-server&origin=shell", [9]],
    ["artifact_types=apk&artifact_architectures=aarch64", [2, 4, 6, 8, 10]],
    ["component_names=tls&component_types=binary&component_locations=/usr/lib/tls", [4]],
    ["aliases=CVE-2099-10007", [7]],
    ["event_review_states=REVIEW_STATE_PENDING", [4, 8]],
    ["event_authors=nobody", []],
    ["exclude_event_authors=nobody&artifactNames=shell", [9]],
    ["exclude_event_authors=security@acme.example", []],
    ["event_reviewers=review@acme.example&artifact_names=shell", [9]],
    ["event_types=EVENT_TYPE_FILTER_FIXED", [1, 3, 10]],
    ["event_types=EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION", [1, 9]],
    ["latest_event_type=EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION", [9]],
    ["latest_event_type=EVENT_TYPE_FILTER_DETECTION", [7]],
    ["query=TLS", [4]],
    ["query=cve-2099-10003", [3]],
    ["name=ignored&query=sql-data", [3, 4]],
  ])("%s", async (query, numbers) => {
    expect(await ids(query)).toEqual(number(...numbers));
  });

  test.each(["event_types=FIXED", "event_review_states=PENDING", "latest_event_type=x"])(
    "%s: an unknown enum name is rejected",
    async (query) => {
      expect((await bench.api("GET", `/vulnerabilities/v2beta1/advisories?${query}`)).status).toBe(400);
    },
  );

  test("an event shows the one thing that happened, and unset optional fields are left out", async () => {
    const { advisories } = await bench.ok("GET", "/vulnerabilities/v2beta1/advisories?advisory_ids=ADV-2026-0007");
    const [advisory] = advisories as { uid: string; events: object[] }[];
    expect(advisory).not.toHaveProperty("deleteTime");
    expect(advisory).not.toHaveProperty("legacyAdvisoryId");
    expect(advisory?.events[0]).toMatchObject({ detection: { manual: {} }, findings: "" });
    expect(advisory?.events[0]).not.toHaveProperty("fixed");
    expect(await bench.ok("GET", `/vulnerabilities/v2beta1/advisories/${advisory?.uid ?? ""}`)).toEqual(advisory);
  });
});
