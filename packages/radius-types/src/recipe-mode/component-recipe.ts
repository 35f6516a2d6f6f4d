import { subdomainName } from "../rendering/names.ts";
import type { RecipeType } from "./recipe-type.ts";

/** The recipe creates the Dapr Component itself, under the name that those who connect expect. */
export const componentRecipe: RecipeType = {
  isRendered: false,
  showsStatus: false,
  outcome(_output, { id }) {
    const componentName = subdomainName(id.name, "The component name");
    return { properties: { componentName }, values: { componentName }, secretValues: {} };
  },
};
