import { ApiError, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { uniqueString } from "@rad/templates/unique-string";
import { renderedInstead } from "../../../rendering/environment-recipes.ts";
import { listMember, textMember } from "../../../rendering/members.ts";
import { labelName } from "../../../rendering/names.ts";
import { radiusMetadata } from "../../../rendering/radius-metadata.ts";
import type { Renderer } from "../../../rendering/renderer.ts";
import { type Backend, backendOf, httpMatches, refuseHttpMatches } from "./route-rules.ts";

/** The kinds of Gateway API routes, and the port that their listeners have as a rule. */
const kinds: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string; readonly port?: number }>> =
  {
    HTTP: { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", port: 80 },
    TLS: { apiVersion: "gateway.networking.k8s.io/v1alpha2", kind: "TLSRoute", port: 443 },
    TCP: { apiVersion: "gateway.networking.k8s.io/v1alpha2", kind: "TCPRoute" },
    UDP: { apiVersion: "gateway.networking.k8s.io/v1alpha2", kind: "UDPRoute" },
  };

/** Routes become one route of the Gateway API, attached to the gateway that the environment's recipe pack names. */
export const routesRenderer: Renderer = {
  dependencies: (properties) => [
    ...new Set(listMember(properties, "rules").flatMap((rule) => backendOf(rule).resourceId || [])),
  ],
  render(resource, context) {
    const { id, properties } = resource;
    const parameters = renderedInstead(context.environment, id.type, properties);
    const protocol = textMember(properties, "kind") ?? "HTTP";
    const { apiVersion, kind, port } = kinds[protocol] ?? { apiVersion: "", kind: "" };
    const rules = listMember(properties, "rules");
    if (rules.length === 0) {
      throw new ApiError("BadRequest", "A route needs at least one rule.", { target: "$.properties.rules" });
    }
    const hostnames = hostnamesOf(properties, protocol);
    const [hostname] = hostnames;
    const listener: JsonObject = {
      ...(hostname === undefined ? {} : { hostname }),
      port: port ?? backendOf(rules[0] ?? {}).port,
      protocol,
    };
    const object = {
      apiVersion,
      kind,
      metadata: radiusMetadata(resource, context, `routes-${uniqueString(id.toString())}`),
      spec: {
        parentRefs: [
          {
            name: textMember(parameters, "gatewayName") ?? "radius",
            namespace: textMember(parameters, "gatewayNamespace") ?? "radius-system",
          },
        ],
        ...(hostnames.length === 0 ? {} : { hostnames }),
        rules: rules.map((rule, index) => renderedRule(rule, protocol, `$.properties.rules[${index}]`)),
      },
    };
    return {
      parts: [{ platform: "kubernetes", localId: kind, object }],
      properties: { listener },
      values: { listener },
    };
  },
};

function hostnamesOf(properties: JsonObject, protocol: string): string[] {
  const { hostnames } = properties;
  const names = Array.isArray(hostnames) ? hostnames.filter((name) => typeof name === "string") : [];
  if (names.length > 0 && (protocol === "TCP" || protocol === "UDP")) {
    throw new ApiError("BadRequest", `A route of the kind ${protocol} has no host names. Leave 'hostnames' out.`, {
      target: "$.properties.hostnames",
    });
  }
  return names;
}

function renderedRule(rule: JsonObject, protocol: string, target: string): JsonObject {
  if (protocol !== "HTTP") {
    refuseHttpMatches(rule, protocol, target);
  }
  const backend = backendOf(rule);
  return {
    ...(protocol === "HTTP" ? httpMatches(rule) : {}),
    backendRefs: [{ name: serviceOf(backend, target), port: backend.port }],
  };
}

/** `Radius.Compute/containers` have a Service for each container; others have one. */
function serviceOf({ resourceId, container }: Backend, target: string): string {
  const id = ResourceId.tryParse(resourceId);
  if (id === undefined || !resourceId.startsWith("/")) {
    throw new ApiError("BadRequest", `'${resourceId}' is not the id of a resource.`, {
      target: `${target}.destinationContainer.resourceId`,
    });
  }
  const hasSeveral = id.type.toLowerCase() === "radius.compute/containers";
  return labelName(hasSeveral ? `${id.name}-${container}` : id.name, "The destination's Service");
}
