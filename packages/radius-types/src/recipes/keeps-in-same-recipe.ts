import { jsonPointer } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";

/** Where a type has its recipes: `recipes/{type}/{name}/templatePath` or `recipes/{type}/source`. */
interface RecipePlace {
  /** How many members lead to one recipe. */
  readonly depth: number;
  /** The member of a recipe that has the address of its module or template. */
  readonly source: string;
}

/**
 * A sealed parameter of a recipe stays as long as the recipe has the same source: nobody can send a value that they have
 * never seen to a module of theirs. Values for all recipes stay, like references to secrets.
 */
export function keepsInSameRecipe({ depth, source }: RecipePlace): NonNullable<ResourceHandler["keepsSealed"]> {
  return ({ path, before, after }) => {
    const pointer = jsonPointer.of([...path.slice(0, depth), source]);
    return path[0] !== "recipes" || jsonPointer.get(before, pointer) === jsonPointer.get(after, pointer);
  };
}
