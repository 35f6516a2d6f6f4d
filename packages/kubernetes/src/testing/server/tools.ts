export { buildGoTool, go } from "./go.ts";
export type { GoTool } from "./go.ts";
export { cachedTool } from "./tools-cache.ts";
export type { Report } from "./tools-cache.ts";
