import { ApiError } from "@rad/core";
import type { PlaneModule } from "@rad/modules";
import { deploymentType, operationType } from "@rad/deployments";
import {
  builtInType,
  groupPolicy,
  type HandlerContext,
  planePolicy,
  refuseWhileNotEmpty,
  type ResourceHandler,
  type ServedType,
} from "@rad/resources";
import { listAll } from "@rad/store";
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
  delete: async (context) => {
    await refuseWhileDeploying(context);
    await removeAll(context, operationType);
    await removeAll(context, deploymentType);
  },
};

async function refuseWhileDeploying({ id, resources }: HandlerContext): Promise<void> {
  const query = { type: deploymentType, under: id.toString(), withoutBodies: true };
  for await (const deployment of listAll((page) => resources.asServer.list(page), query)) {
    if (deployment.operationId !== undefined) {
      throw new ApiError("Conflict", `The deployment '${deployment.id}' is still running; cancel it or wait.`, {
        target: deployment.id,
      });
    }
  }
}

async function removeAll(context: HandlerContext, type: string): Promise<void> {
  for (;;) {
    const { items } = await context.resources.asServer.list({
      type,
      under: context.id.toString(),
      limit: removedAtOnce,
      withoutBodies: true,
    });
    if (items.length === 0) {
      return;
    }
    await context.write({ also: items.map((item) => ({ kind: "remove", id: item.id, expect: { etag: item.etag } })) });
  }
}

const resourceGroup = builtInType({
  name: "System.Resources/resourceGroups",
  policy: groupPolicy,
  nameKind: "resourceGroup",
  schema: {},
  handler: groupHandler,
});
