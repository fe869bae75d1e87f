export * from "../support/resource-fixture";
export { ResourceFixture as Lab } from "../support/resource-fixture";
