export { plan, symbolic, thing } from "../plan/testing/plan-kit.ts";
