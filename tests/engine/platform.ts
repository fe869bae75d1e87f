export { TestPlatform as Platform, type LoggedRequest, type WireObject } from "../support/test-platform";
