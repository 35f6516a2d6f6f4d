import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { provisioning } from "../../shapes/recipe.ts";
import { resourceReferences } from "../../shapes/references.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { flag, integer, object, optionalSecret, text } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../../applications-core/version.ts";
import { portableHandler } from "../../manual-provisioning/portable-handler.ts";
import { redisConnection } from "./connection.ts";

export const redisCaches = defineType({
  name: "Applications.Datastores/redisCaches",
  description: "A Redis cache.",
  handler: portableHandler(redisConnection),
  policy: asynchronousPolicy(60, 30),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of a Redis cache.",
        {
          ...scope,
          host: text("The host name of the cache."),
          port: integer("The port of the cache."),
          username: text("The user name to connect with."),
          tls: flag("Whether connections use TLS; so with port 6380 when absent."),
          secrets: optionalSecret(
            object("Secret values; made from the others where they are absent.", {
              connectionString: text("A connection string."),
              password: text("The password to connect with."),
              url: text("A `redis://` URL."),
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
