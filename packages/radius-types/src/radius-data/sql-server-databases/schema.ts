import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { readOnly, sensitive, text } from "../../shapes/schema-parts.ts";

export const sqlServerDatabases = defineType({
  name: "Radius.Data/sqlServerDatabases",
  description: "A SQL Server database.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a SQL Server database.",
        {
          database: text("The name of the database."),
          username: text("The user name of the administrator."),
          password: sensitive(text("The password of the administrator.")),
          host: readOnly(text("The host name of the server.")),
          port: readOnly(text("The port of the server.")),
        },
        ["database", "username", "password"],
      ),
  },
});
