export { lint } from "./lint.ts";
export { isLinterRule, linterRuleNames } from "./rule-names.ts";
export { applyPragmas } from "./pragmas.ts";
