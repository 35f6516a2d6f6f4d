import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { readOnly, text } from "../../shapes/schema-parts.ts";

export const radiusMongoDatabases = defineType({
  name: "Radius.Data/mongoDatabases",
  description: "A MongoDB database.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of a MongoDB database.", {
        database: text("The name of the database.", { default: "mongo_db" }),
        endpoint: readOnly(text("The address of the server.")),
        secrets: recipeSecrets({ connectionString: "The key of the connection string." }),
      }),
  },
});
