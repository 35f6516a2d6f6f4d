import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { choice, integer, readOnly, text } from "../../shapes/schema-parts.ts";

export const radiusRedisCaches = defineType({
  name: "Radius.Data/redisCaches",
  description: "A Redis cache.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of a Redis cache.", {
        size: choice("How large it is.", ["S", "M", "L"], { default: "S" }),
        host: readOnly(text("The host name of the cache.")),
        port: readOnly(integer("The port of the cache.")),
        secrets: recipeSecrets({ url: "The key of the `redis://` URL." }),
      }),
  },
});
