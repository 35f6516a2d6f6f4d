export type * from "./environment.ts";
export type * from "./model.ts";
export type * from "./symbols.ts";
export type * from "./template-source.ts";
