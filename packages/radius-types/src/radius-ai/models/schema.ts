import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { readOnly, text } from "../../shapes/schema-parts.ts";

export const models = defineType({
  name: "Radius.AI/models",
  description: "A language model behind an API.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of a language model.", {
        model: text("The name of the model.", { default: "gpt-5-mini" }),
        endpoint: readOnly(text("The address of the API.")),
        secrets: recipeSecrets({ apiKey: "The key of the API key." }),
      }),
  },
});
