import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { choice, integer, readOnly, sensitive, text } from "../../shapes/schema-parts.ts";

export const mySqlDatabases = defineType({
  name: "Radius.Data/mySqlDatabases",
  description: "A MySQL database.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a MySQL database.",
        {
          username: text("The user name of the administrator."),
          password: sensitive(text("The password of the administrator.")),
          database: text("The name of the database.", { default: "mysql_db" }),
          version: choice("The version of MySQL.", ["5.7", "8.0", "8.4"], { default: "8.4" }),
          host: readOnly(text("The host name of the server.")),
          port: readOnly(integer("The port of the server.")),
        },
        ["username", "password"],
      ),
  },
});
