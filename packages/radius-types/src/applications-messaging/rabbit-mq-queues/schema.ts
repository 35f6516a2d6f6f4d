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
import { rabbitMQConnection } from "./connection.ts";

export const rabbitMQQueues = defineType({
  name: "Applications.Messaging/rabbitMQQueues",
  description: "A RabbitMQ queue.",
  handler: portableHandler(rabbitMQConnection),
  policy: asynchronousPolicy(60, 30),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of a RabbitMQ queue.",
        {
          ...scope,
          queue: text("The name of the queue."),
          host: text("The host name of the broker."),
          port: integer("The port of the broker."),
          vHost: text("The virtual host."),
          username: text("The user name to connect with."),
          tls: flag("Whether connections use TLS; so with port 5671 when absent."),
          secrets: optionalSecret(
            object("Secret values; made from the others where they are absent.", {
              password: text("The password to connect with."),
              uri: text("An `amqp://` URI."),
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
