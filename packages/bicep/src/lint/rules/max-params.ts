import { maximumRule } from "../maximum.ts";

export const maxParams = maximumRule("params", 256, ({ parameters }) => parameters);
