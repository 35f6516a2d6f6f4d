/** Values of `-o` that only graphs have. */
export const graphFormats = ["text", "dot", "mermaid", "svg"] as const;
export type GraphFormat = (typeof graphFormats)[number];
