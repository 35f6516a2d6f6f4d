export { lint } from "./lint.ts";
export { applyPragmas } from "./pragmas.ts";
