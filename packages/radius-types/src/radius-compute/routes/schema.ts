import type { JsonObject } from "@rad/core";
import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { choice, integer, list, object, readOnly, text } from "../../shapes/schema-parts.ts";

const pair = (description: string): JsonObject =>
  object(description, { name: text("Its name."), value: text("Its value.") }, ["name", "value"]);

const rule = object(
  "A rule.",
  {
    matches: list(
      "What the rule applies to; one of them is enough.",
      object("What a request must look like.", {
        httpHeaders: list("Headers that must be there.", pair("A header.")),
        httpMethod: choice("The method.", [
          "GET",
          "HEAD",
          "POST",
          "PUT",
          "DELETE",
          "CONNECT",
          "OPTIONS",
          "TRACE",
          "PATCH",
        ]),
        httpPath: text("What the path starts with."),
        httpQueryParams: list("Query parameters that must be there.", pair("A query parameter.")),
      }),
    ),
    destinationContainer: object(
      "Where the traffic goes.",
      {
        resourceId: text("The resource id of a `Radius.Compute/containers` resource."),
        containerName: text("The name of the container in it."),
        containerPort: integer("The port of the container."),
      },
      ["resourceId", "containerName", "containerPort"],
    ),
  },
  ["matches", "destinationContainer"],
);

export const routes = defineType({
  name: "Radius.Compute/routes",
  description: "Leads traffic from outside to containers.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a route.",
        {
          kind: choice("The protocol of the traffic.", ["HTTP", "TCP", "TLS", "UDP"]),
          hostnames: list("The host names that the route answers to.", text("A host name.")),
          rules: list("Which traffic goes where.", rule),
          listener: readOnly(
            object("Where the route is reached.", {
              hostname: text("The host name."),
              port: integer("The port."),
              protocol: choice("The protocol.", ["HTTP", "HTTPS", "TLS", "TCP", "UDP"]),
            }),
          ),
        },
        ["application", "rules"],
      ),
  },
});
