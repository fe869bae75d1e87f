export { type Configuration, readConfiguration } from "./configuration";
export { connect } from "./connect";
export { settings } from "./settings";
export { createTokenSource } from "./token-source";
