import { descriptionRule } from "../descriptions.ts";

export const useDescriptionTypes = descriptionRule("types", ({ declarations }) => declarations.types);
