import { inSlices, isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { ActionContext, ResourceAction } from "@rad/resources";
import { applicationGraph } from "./application-graph.ts";
import { readDependencyEdges, withDependencies } from "./dependency-edges.ts";
import type { ApplicationGraph, GraphNode } from "./graph-shape.ts";
import { listKnownResources } from "./list-known-resources.ts";
import { withPortalLinks } from "./portal-links.ts";
import { withIcons } from "./type-icons.ts";

/** `POST …/Applications.Core/applications/{name}/getGraph`: its body does not matter. */
export const getGraph: ResourceAction = async (context) => ({ resources: [...(await nodesOf(context))] });

/** `POST …/Radius.Core/applications/{name}/getGraph`: with icons, and with dependencies that the caller knows of. */
export const getRadiusGraph: ResourceAction = async (context): Promise<ApplicationGraph> => {
  const { id, resources, body } = context;
  const request: JsonObject = isJsonObject(body) ? body : {};
  const nodes = await nodesOf(context);
  const related = await inSlices(
    withDependencies(nodes.map(withoutVariables), readDependencyEdges(request["dependsOnEdges"])),
  );
  return await withIcons(resources.asServer, id.planeScope, related, request["includeIcons"] === true);
};

async function nodesOf({ id, properties, resources, signal }: ActionContext): Promise<readonly GraphNode[]> {
  const owner = { application: id, environment: properties["environment"] };
  const known = await listKnownResources(resources.asRequester, owner, signal);
  return await withPortalLinks(resources.asServer, await inSlices(applicationGraph(known)));
}

/** What a container is started with is nobody else's business, and may be a secret in plain text. */
function withoutVariables(node: GraphNode): GraphNode {
  const containers = objectMember(node.properties ?? {}, "containers");
  if (node.type.toLowerCase() !== "radius.compute/containers" || Object.keys(containers).length === 0) {
    return node;
  }
  const kept = Object.entries(containers).map(([name, container]) => [name, withoutEnv(container)] as const);
  return { ...node, properties: { ...node.properties, containers: Object.fromEntries(kept) } };
}

function withoutEnv(container: JsonValue): JsonValue {
  if (!isJsonObject(container)) {
    return container;
  }
  const { env: _, ...rest } = container;
  return rest;
}
