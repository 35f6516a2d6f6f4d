import { descriptionRule } from "../descriptions.ts";

export const useDescriptionParams = descriptionRule("params", ({ declarations }) => declarations.parameters);
