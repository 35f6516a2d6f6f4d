import { maximumRule } from "../maximum.ts";

export const maxVariables = maximumRule("variables", 512, ({ variables }) => variables);
