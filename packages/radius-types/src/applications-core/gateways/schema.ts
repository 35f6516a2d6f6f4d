import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { choice, flag, list, object, readOnly, text } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";
import { checkGateway } from "./check-gateway.ts";

const duration = { pattern: "^(\\d+(\\.\\d+)?(ns|us|µs|ms|s|m|h))+$" };

const route = object("A route.", {
  path: text("The path that the route matches."),
  destination: text("The URL or the resource id of the container that requests go to."),
  replacePrefix: text("What replaces the matched path on the way."),
  enableWebsockets: flag("Whether WebSocket connections are let through.", { default: false }),
  timeoutPolicy: object("How long requests may take.", {
    request: text("From the request to the end of its answer, such as `15s`.", duration),
    backendRequest: text("For one try at the destination; not longer than `request`.", duration),
  }),
});

export const gateways = defineType({
  name: "Applications.Core/gateways",
  description: "Lets traffic from outside in to containers.",
  handler: { validate: ({ properties }) => checkGateway(properties) },
  policy: asynchronousPolicy(20, 20),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of a gateway.",
        {
          ...scope,
          internal: flag("Whether the gateway is reached from inside the cluster only."),
          hostname: object("The host name of the gateway; one is made up when absent.", {
            prefix: text("What the made-up host name starts with."),
            fullyQualifiedHostname: text("The whole host name; overrides `prefix`."),
          }),
          routes: list("Where requests go.", route, { minItems: 1 }),
          tls: object("How TLS is ended.", {
            sslPassthrough: flag("Whether TLS is passed on to the destination instead."),
            minimumProtocolVersion: choice("The lowest version of TLS to accept.", ["1.2", "1.3"], { default: "1.2" }),
            certificateFrom: text("The resource id of the secret store that holds the certificate."),
          }),
          url: readOnly(text("The address of the gateway.")),
          status: resourceStatus(),
        },
        ["application", "routes"],
      ),
  },
});
