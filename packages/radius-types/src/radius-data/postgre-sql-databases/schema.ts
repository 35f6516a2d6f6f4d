import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { choice, readOnly, sensitive, text } from "../../shapes/schema-parts.ts";

export const postgreSqlDatabases = defineType({
  name: "Radius.Data/postgreSqlDatabases",
  description: "A PostgreSQL database.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a PostgreSQL database.",
        {
          size: choice("How large it is.", ["S", "M", "L"], { default: "S" }),
          username: text("The user name of the administrator."),
          password: sensitive(text("The password of the administrator.")),
          database: text("The name of the database.", { default: "postgres_db" }),
          initSql: text("SQL that is run once the database is there."),
          host: readOnly(text("The host name of the server.")),
          port: readOnly(text("The port of the server.")),
        },
        ["username", "password"],
      ),
  },
});
