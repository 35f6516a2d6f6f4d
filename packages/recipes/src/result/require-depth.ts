import { type JsonValue, Pace, type Sliced } from "@rad/core";
import { executionError } from "@rad/radius-types";
import type { TemplateOutput } from "./map-outputs.ts";

/** More than anybody reads, and few enough for every function that walks a value. */
const maxDepth = 200;

/** Clients could not send back what is nested deeper. @throws RecipeError `InvalidRecipeOutputs` */
export function* requireDepth(outputs: Readonly<Record<string, TemplateOutput>>): Sliced<void> {
  const pace = new Pace();
  for (const [name, { value }] of Object.entries(outputs)) {
    let level: readonly JsonValue[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > maxDepth) {
        throw executionError(
          "InvalidRecipeOutputs",
          `The output '${name}' is nested more than ${maxDepth} levels deep.`,
        );
      }
      const below: JsonValue[] = [];
      for (const item of level) {
        if (typeof item === "object" && item !== null) {
          for (const member of Object.values(item)) {
            below.push(member);
          }
        }
        const pause = pace.spend();
        if (pause !== undefined) {
          yield pause;
        }
      }
      level = below;
    }
  }
}
