import { refuseRecipe } from "../rendering/environment-recipes.ts";
import { referencesOf } from "../rendering/references.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { checkManual } from "./portable-handler.ts";
import { knownValues, type PortableType } from "./portable-type.ts";

/** Renders no objects: what the author gave, and what follows from it, is for those who connect to the resource. */
export function portableRenderer(type: PortableType): Renderer {
  return {
    validate: ({ properties }) => checkManual(type, properties),
    dependencies: () => [],
    render({ id, properties, secrets }, { environment }) {
      if (properties["resourceProvisioning"] !== "manual") {
        return refuseRecipe(environment, id.type, properties);
      }
      checkManual(type, properties);
      const { values, secretValues } = knownValues(type, properties, secrets);
      return { parts: [], values, secretValues, properties: values, references: referencesOf(properties) };
    },
  };
}
