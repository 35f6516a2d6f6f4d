import { descriptionRule } from "../descriptions.ts";

export const useDescriptionOutputs = descriptionRule("outputs", ({ declarations }) => declarations.outputs);
