import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { readOnly, text } from "../../shapes/schema-parts.ts";

export const kafka = defineType({
  name: "Radius.Messaging/kafka",
  description: "A Kafka topic.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of a Kafka topic.", {
        topic: text("The name of the topic.", { default: "events" }),
        host: readOnly(text("The host name of the broker.")),
        secrets: recipeSecrets({ connectionString: "The key of the connection string." }),
      }),
  },
});
