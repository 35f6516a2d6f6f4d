import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { provisioning } from "../../shapes/recipe.ts";
import { resourceReferences } from "../../shapes/references.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { integer, object, optionalSecret, text } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../../applications-core/version.ts";
import { portableHandler } from "../../manual-provisioning/portable-handler.ts";
import { sqlConnection } from "./connection.ts";

export const sqlDatabases = defineType({
  name: "Applications.Datastores/sqlDatabases",
  description: "A Microsoft SQL database.",
  handler: portableHandler(sqlConnection),
  policy: asynchronousPolicy(60, 30),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of a Microsoft SQL database.",
        {
          ...scope,
          server: text("The host name of the server."),
          port: integer("The port of the server."),
          database: text("The name of the database."),
          username: text("The user name to connect with."),
          secrets: optionalSecret(
            object("Secret values; made from the others where they are absent.", {
              connectionString: text("A connection string."),
              password: text("The password to connect with."),
            }),
          ),
          resources: resourceReferences(),
          ...provisioning(),
          status: resourceStatus(),
        },
        ["environment"],
      ),
  },
});
