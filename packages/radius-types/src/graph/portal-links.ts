import { objectMember } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import type { GraphNode, GraphOutputResource } from "./graph-shape.ts";

const azureCredential = "/planes/azure/azurecloud/providers/System.Azure/credentials/default";

/** Links Azure resources to the portal, where a credential tells the tenant. It is read only if there are any. */
export async function withPortalLinks(
  credentials: Pick<ResourceReader, "get">,
  nodes: readonly GraphNode[],
): Promise<readonly GraphNode[]> {
  const hasAny = nodes.some((node) => node.outputResources.some(({ id }) => azureId(id) !== undefined));
  const tenant = hasAny ? await tenantId(credentials) : undefined;
  if (tenant === undefined) {
    return nodes;
  }
  return nodes.map((node) => ({
    ...node,
    outputResources: node.outputResources.map((output) => withPortalLink(output, tenant)),
  }));
}

async function tenantId(credentials: Pick<ResourceReader, "get">): Promise<string | undefined> {
  const document = await credentials.get(azureCredential);
  const { tenantId: tenant } = document === undefined ? {} : objectMember(await document.parsed(), "properties");
  return typeof tenant === "string" && tenant !== "" ? tenant : undefined;
}

function withPortalLink(output: GraphOutputResource, tenant: string): GraphOutputResource {
  const id = azureId(output.id);
  return id === undefined
    ? output
    : { ...output, portalUrl: `https://portal.azure.com/#@${encodeURIComponent(tenant)}/resource${id}` };
}

/** The id as Azure itself has it. */
function azureId(id: string): string | undefined {
  const withoutPlane = id.replace(/^\/planes\/azure\/[^/]+/i, "");
  return /^\/subscriptions\//i.test(withoutPlane) ? withoutPlane : undefined;
}
