import { descriptionRule } from "../descriptions.ts";

export const useDescriptionVars = descriptionRule("vars", ({ declarations }) => declarations.variables);
