import { objectMember, ResourceId } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import type { ApplicationGraph, GraphNode } from "./graph-shape.ts";

/** Adds what the registry says about the icon of each node's type, and on request the icons themselves. */
export async function withIcons(
  registry: Pick<ResourceReader, "get">,
  planeScope: string,
  nodes: readonly GraphNode[],
  includeIcons: boolean,
): Promise<ApplicationGraph> {
  const icons = new Map<string, TypeIcon>();
  for (const type of new Set(nodes.filter(isOfPlane(planeScope)).map((node) => node.type.toLowerCase()))) {
    icons.set(type, await iconOf(registry, planeScope, type));
  }
  const resources = nodes.map((node) => {
    const hash = isOfPlane(planeScope)(node) ? icons.get(node.type.toLowerCase())?.hash : undefined;
    return hash === undefined ? node : { ...node, iconHash: hash };
  });
  if (!includeIcons) {
    return { resources };
  }
  const texts = [...icons.values()].flatMap(({ hash, svg }) =>
    hash === undefined || svg === undefined ? [] : [[hash, svg] as const],
  );
  return { resources, icons: Object.fromEntries(texts) };
}

interface TypeIcon {
  readonly hash?: string;
  readonly svg?: string;
}

/** Types of another plane, such as Azure's, are not in this one's registry. */
function isOfPlane(planeScope: string): (node: GraphNode) => boolean {
  return ({ id }) => ResourceId.tryParse(id)?.planeScope.toLowerCase() === planeScope.toLowerCase();
}

async function iconOf(registry: Pick<ResourceReader, "get">, planeScope: string, type: string): Promise<TypeIcon> {
  const [namespace = "", ...names] = type.split("/");
  const provider = `${planeScope}/providers/System.Resources/resourceProviders/${namespace}`;
  const registration = await registry.get(`${provider}/resourceTypes/${names.join("/")}`);
  if (registration === undefined) {
    return {};
  }
  const { iconHash, icon } = objectMember(await registration.parsed(), "properties");
  return {
    ...(typeof iconHash === "string" ? { hash: iconHash } : {}),
    ...(typeof icon === "string" ? { svg: icon } : {}),
  };
}
