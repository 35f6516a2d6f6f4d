import { maximumRule } from "../maximum.ts";

export const maxAsserts = maximumRule("asserts", 32, ({ asserts }) => asserts);
