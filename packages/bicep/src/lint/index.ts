export { defaultLinterConfiguration } from "./configuration.ts";
export type { LinterConfiguration, RuleConfiguration, RuleLevel } from "./configuration.ts";
export { lint } from "./lint.ts";
export { applyPragmas } from "./pragmas.ts";
