export { formatBicep } from "./format.ts";
export { defaultFormatOptions } from "./format-options.ts";
export type { FormatOptions } from "./format-options.ts";
