import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion, recipeSecrets } from "../../shapes/recipe-backed.ts";
import { integer, readOnly, optionalSecret, text } from "../../shapes/schema-parts.ts";

export const rabbitMQ = defineType({
  name: "Radius.Messaging/rabbitMQ",
  description: "A RabbitMQ queue.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema("The properties of a RabbitMQ queue.", {
        queue: text("The name of the queue.", { default: "jobs" }),
        username: text("The user name to connect with.", { default: "radius" }),
        password: optionalSecret(text("The password to connect with; one is made up when absent.")),
        host: readOnly(text("The host name of the broker.")),
        port: readOnly(integer("The port of the broker.")),
        secrets: recipeSecrets({ password: "The key of the password." }),
      }),
  },
});
