export { readBreakGlass } from "./break-glass";
export { connect } from "./connect";
export { type Configuration, readConfiguration } from "./configuration";
export { isExchanged } from "./credential-source";
export { argumentTypes, type ProviderArguments, settings } from "./settings";
export { createTokenSource, statedCaller, type TokenSourceOptions } from "./token-source";
export { misplacedKeys } from "./misplaced-keys";
