export { openLogins } from "../../provider/schema/login-limits";
export type { OpenLogin } from "../../provider/schema/open-login";
