import { type JsonObject, objectMember } from "@rad/core";

/**
 * Parameters of the recipe and the environment, over which those of the resource are laid: whole values, never parts of
 * them. `context` is the engine's own.
 */
export function mergeParameters(ofRecipe: JsonObject, properties: JsonObject): JsonObject {
  const ofResource = objectMember(objectMember(properties, "recipe"), "parameters");
  const { context: _context, ...merged } = { ...ofRecipe, ...ofResource };
  return merged;
}
