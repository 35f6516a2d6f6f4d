import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { readOnly, text } from "../../shapes/schema-parts.ts";

export const objectStorage = defineType({
  name: "Radius.Storage/objectStorage",
  description: "Storage for files and other objects.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of object storage.", {
        containerName: text("The name of the container or bucket.", { default: "data" }),
        endpoint: readOnly(text("The address of the storage.")),
        accountName: readOnly(text("The name of the storage account.")),
        secrets: recipeSecrets({
          connectionString: "The key of the connection string.",
          accountKey: "The key of the account key.",
        }),
      }),
  },
});
