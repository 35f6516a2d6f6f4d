import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";
import { descriptiveLabels } from "../../../rendering/labels.ts";
import { listMember, textMember } from "../../../rendering/members.ts";
import { inheritedMetadata, mergedMetadata } from "../../../rendering/metadata.ts";
import { labelName } from "../../../rendering/names.ts";
import type { KubernetesPart, RenderContext, RenderedResource, Renderer } from "../../../rendering/renderer.ts";
import { checkGateway } from "../check-gateway.ts";
import { isResourceId } from "./destination.ts";
import { publicName } from "./hostname.ts";
import { type ChildRoute, type RouteTable, routeTable } from "./routes.ts";
import { virtualHostTls } from "./tls.ts";

/** A gateway becomes a root HTTPProxy of Contour that includes a child for every Service it leads to. */
export const gatewayRenderer: Renderer = {
  usesPublicEndpoint: true,
  sharedKinds: ["HTTPProxy"],
  validate: ({ properties }) => checkGateway(properties),
  dependencies(properties) {
    const certificate = textMember(objectMember(properties, "tls"), "certificateFrom");
    const destinations = listMember(properties, "routes").map((route) => textMember(route, "destination") ?? "");
    return [...(certificate === undefined ? [] : [certificate]), ...destinations.filter(isResourceId)];
  },
  render(resource, context) {
    const { id, properties } = resource;
    checkGateway(properties);
    const { application } = context;
    if (application === undefined) {
      throw new ApiError("BadRequest", `application ID is not set for the resource "${id.toString()}"`);
    }
    const name = labelName(id.name, "The gateway name");
    const table = routeTable(properties, name, context);
    const { fqdn, url } = publicName(
      properties,
      { gateway: name, application: application.id.name },
      context.publicEndpoint,
    );
    const children = table.children.map((child) => childPart(resource, context, child));
    const root: KubernetesPart = {
      platform: "kubernetes",
      localId: "Gateway",
      dependsOn: children.map(({ localId }) => localId),
      awaited: true,
      object: httpProxy(resource, context, {
        name,
        spec: {
          virtualhost: { fqdn, ...virtualHostTls(properties, context) },
          includes: table.includes.map((include) => ({
            name: include.name,
            conditions: [{ prefix: include.prefix }],
          })),
          ...tcpProxy(properties, table),
        },
      }),
    };
    return { parts: [...children, root], properties: { url }, values: { url } };
  },
};

function childPart(resource: RenderedResource, context: RenderContext, child: ChildRoute): KubernetesPart {
  const { name, service, port, enableWebsockets, responseTimeout, rewrites } = child;
  const route: JsonObject = {
    services: [{ name: service, port }],
    ...(rewrites.length === 0 ? {} : { pathRewritePolicy: { replacePrefix: rewrites.map((entry) => ({ ...entry })) } }),
    ...(responseTimeout === undefined ? {} : { timeoutPolicy: { response: responseTimeout } }),
    ...(enableWebsockets ? { enableWebsockets } : {}),
  };
  return {
    platform: "kubernetes",
    localId: `HttpProxy-${name}`,
    object: httpProxy(resource, context, { name, spec: { routes: [route] } }),
  };
}

/** Where TLS connections go that are passed through. */
function tcpProxy(properties: JsonObject, { children: [child] }: RouteTable): JsonObject {
  return objectMember(properties, "tls")["sslPassthrough"] === true && child !== undefined
    ? { tcpproxy: { services: [{ name: child.service, port: child.port }] } }
    : {};
}

function httpProxy(
  { id }: RenderedResource,
  context: RenderContext,
  { name, spec }: { readonly name: string; readonly spec: JsonObject },
): KubernetesObject {
  const own = descriptiveLabels(id, context.application?.id.name);
  const labels = { ...own, "radapp.io/resource": name, "app.kubernetes.io/name": name };
  return {
    apiVersion: "projectcontour.io/v1",
    kind: "HTTPProxy",
    metadata: { name, namespace: context.namespace, ...mergedMetadata({ labels }, inheritedMetadata(context)) },
    spec,
  };
}
