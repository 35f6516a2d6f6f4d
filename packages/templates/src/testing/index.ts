export { plan, symbolic, thing } from "../plan/testing/plan-kit.ts";
export { hostileTemplates } from "./hostile-templates.ts";
export type { HostileTemplate } from "./hostile-templates.ts";
