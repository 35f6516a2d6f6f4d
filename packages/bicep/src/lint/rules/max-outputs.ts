import { maximumRule } from "../maximum.ts";

export const maxOutputs = maximumRule("outputs", 64, ({ outputs }) => outputs);
