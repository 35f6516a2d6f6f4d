export { argumentName, isDataMap } from "./argument-name.ts";
export {
  backendTypes,
  isBackendType,
  isSecretArgument,
  requiredArguments,
  variableOfArgument,
} from "./backend-arguments.ts";
export { mirrorUrlProblem, normalMirrorUrl } from "./mirror-url.ts";
export { normalPattern, patternProblem } from "./provider-pattern.ts";
export { gitKeyOf } from "./git-keys.ts";
export {
  gitSourceOf,
  gitVersionProblem,
  isGitSource,
  moduleAddressOf,
  moduleAddressProblem,
  sameOrigin,
  splitCredentials,
  type SplitSource,
  type UserInfo,
  withHidden,
  withSecretQuery,
  withUserInfo,
} from "./module-address.ts";
export { asciiHostName, gitHostProblem, httpsHost, registryHostProblem } from "./registry-host.ts";
export { carriesCredentials, isReservedVariable, isVariableName } from "./variable-names.ts";
export { type AddressParameter, hidesCredentials, withoutCredentials } from "./without-credentials.ts";
