import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { readOnly, text } from "../../shapes/schema-parts.ts";

export const search = defineType({
  name: "Radius.AI/search",
  description: "A search index behind an API.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of a search index.", {
        endpoint: readOnly(text("The address of the API.")),
        secrets: recipeSecrets({ apiKey: "The key of the API key." }),
      }),
  },
});
