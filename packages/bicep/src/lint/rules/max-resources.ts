import { maximumRule } from "../maximum.ts";

export const maxResources = maximumRule("resources", 800, ({ allResources }) => allResources);
