import { isDeepStrictEqual } from "node:util";
import { copyOrganization, type OrganizationCopy } from "../../copy";
import { connect, readConfiguration } from "../../provider/credentials";
import { TestPlatform } from "../support/test-platform";

const clientOf = (environment: Record<string, string>) => connect(readConfiguration(undefined, environment));

async function copyOf(platform: TestPlatform): Promise<OrganizationCopy> {
  return copyOrganization({
    client: clientOf(platform.environment),
    standsInFor: { baseUrl: platform.baseUrl, authUrl: platform.emulator.authUrl },
    organizations: [platform.root],
  });
}

describe.each(["minimal", "sample", "large"] as const)("a copy of the organisation %s", (seed) => {
  const platform = TestPlatform.forFile({ seed });
  let copy: OrganizationCopy;
  beforeAll(async () => {
    const start = performance.now();
    copy = await copyOf(platform);
    console.log(seed, performance.now() - start);
  });
  afterAll(() => copy.close());

  test("is exact", () => {
    expect(copy.inexact).toEqual([]);
    expect(copy.before.length).toBeGreaterThan(10);
    expect(isDeepStrictEqual(copy.now(), copy.before)).toBe(true);
  });
});
