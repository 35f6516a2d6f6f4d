import { ApiError } from "@rad/core";
import type { PlaneModule } from "@rad/modules";
import { deploymentType, operationType } from "@rad/deployments";
import {
  builtInType,
  groupPolicy,
  planePolicy,
  refuseWhileNotEmpty,
  type RemoveRequest,
  type ResourceHandler,
  type ServedType,
} from "@rad/resources";
import { type DocumentRemove, listAll } from "@rad/store";
import { knownProperties, type PlaneTable } from "./plane-table.ts";

/** Documents that one transaction removes. */
const removedAtOnce = 500;

/** Planes and groups, by lower-cased type. */
export function planeTypes(planes: PlaneTable): ReadonlyMap<string, ServedType> {
  return new Map([
    ...[...planes].map((plane) => [plane.type.toLowerCase(), servedPlane(plane)] as const),
    ["system.resources/resourcegroups", resourceGroup],
  ]);
}

function servedPlane(plane: PlaneModule): ServedType {
  return builtInType({
    name: plane.type,
    policy: planePolicy,
    nameKind: "plane",
    schema: plane.schema,
    handler: {
      validate: ({ properties }) => ({ properties: knownProperties(plane, properties) }),
      guardDelete: async ({ document, resources }) => {
        await refuseWhileNotEmpty(document, resources, []);
        return [{ kind: "empty", under: document.id }];
      },
    },
  });
}

/** Deployments describe what happened in a group, so they go with it; everything else has to go first. */
const groupHandler: ResourceHandler = {
  validate: () => ({ properties: {} }),
  guardDelete: async ({ document, resources }) => {
    await refuseWhileNotEmpty(document, resources, [deploymentType, operationType]);
    return [{ kind: "empty", under: document.id }];
  },
  removedWith: async (request) => {
    await refuseWhileDeploying(request);
    return await removeHistory(request);
  },
};

async function refuseWhileDeploying({ document, resources }: RemoveRequest): Promise<void> {
  const query = { type: deploymentType, under: document.id, withoutBodies: true };
  for await (const deployment of listAll((page) => resources.list(page), query)) {
    if (deployment.operationId !== undefined) {
      throw new ApiError("Conflict", `The deployment '${deployment.id}' is still running; cancel it or wait.`, {
        target: deployment.id,
      });
    }
  }
}

/** Resolves to what is left for the last transaction. A deployment goes after its records, so that none loses its owner. */
async function removeHistory({ document, resources, write }: RemoveRequest): Promise<readonly DocumentRemove[]> {
  const some = async (type: string): Promise<DocumentRemove[]> => {
    const { items } = await resources.list({ type, under: document.id, limit: removedAtOnce, withoutBodies: true });
    return items.map((item) => ({ kind: "remove", id: item.id, expect: { etag: item.etag } }));
  };
  for (;;) {
    const records = await some(operationType);
    const also = records.length === removedAtOnce ? records : [...records, ...(await some(deploymentType))];
    if (also.length < removedAtOnce) {
      return also;
    }
    await write({ also });
  }
}

const resourceGroup = builtInType({
  name: "System.Resources/resourceGroups",
  policy: groupPolicy,
  nameKind: "resourceGroup",
  schema: {},
  handler: groupHandler,
});
