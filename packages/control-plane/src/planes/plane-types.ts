import { ApiError, type JsonObject, objectMember } from "@rad/core";
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

export const planeTypeNames = ["aws", "azure", "radius"] as const;
export type PlaneTypeName = (typeof planeTypeNames)[number];

export function isPlaneTypeName(text: string): text is PlaneTypeName {
  return planeTypeNames.some((name) => name === text);
}

/** Documents that one transaction removes. */
const removedAtOnce = 500;

export function planeTypes(): ReadonlyMap<string, ServedType> {
  return new Map([
    ["system.radius/planes", plane("System.Radius/planes", radiusProperties)],
    ["system.azure/planes", plane("System.Azure/planes", azureProperties)],
    ["system.aws/planes", plane("System.AWS/planes", {})],
    ["system.resources/resourcegroups", resourceGroup],
  ]);
}

const radiusProperties: JsonObject = {
  type: "object",
  properties: { resourceProviders: { type: "object", additionalProperties: { type: "string" } } },
  required: ["resourceProviders"],
};

const azureProperties: JsonObject = {
  type: "object",
  properties: { url: { type: "string" } },
  required: ["url"],
};

function plane(name: string, schema: JsonObject): ServedType {
  const known = Object.keys(objectMember(schema, "properties"));
  return builtInType({
    name,
    policy: planePolicy,
    nameKind: "plane",
    schema,
    handler: {
      validate: ({ properties }) => ({
        properties: Object.fromEntries(Object.entries(properties).filter(([key]) => known.includes(key))),
      }),
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
  const { items } = await resources.asServer.list({ type: deploymentType, under: id.toString() });
  const running = items.find(({ operationId }) => operationId !== undefined);
  if (running !== undefined) {
    throw new ApiError("Conflict", `The deployment '${running.id}' is still running; cancel it or wait.`, {
      target: running.id,
    });
  }
}

async function removeAll(context: HandlerContext, type: string): Promise<void> {
  for (;;) {
    const { items } = await context.resources.asServer.list({
      type,
      under: context.id.toString(),
      limit: removedAtOnce,
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
