import { ApiError, isProvisioningState, isTerminal, type JsonObject, objectMember } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import { builtInType } from "../resources/built-in-type.ts";
import { refuseWhileNotEmpty } from "../resources/in-the-way.ts";
import type { ResourceHandler } from "../resources/resource-handler.ts";
import type { ServedType } from "../resources/served-type.ts";
import { groupPolicy, planePolicy } from "../resources/type-policy.ts";

export const planeTypeNames = ["aws", "azure", "radius"] as const;
export type PlaneTypeName = (typeof planeTypeNames)[number];

export function isPlaneTypeName(text: string): text is PlaneTypeName {
  return planeTypeNames.some((name) => name === text);
}

const deploymentType = "Microsoft.Resources/deployments";

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
      guardDelete: async ({ document, store }) => {
        await refuseWhileNotEmpty(document, store, []);
        return [{ kind: "empty", under: document.id }];
      },
    },
  });
}

/** Deployment records describe what happened in a group, so they go with it; everything else has to go first. */
const groupHandler: ResourceHandler = {
  validate: () => ({ properties: {} }),
  guardDelete: async ({ document, store }) => {
    await refuseWhileNotEmpty(document, store, [deploymentType]);
    return [{ kind: "empty", under: document.id }];
  },
  delete: async (context) => {
    const { id, store } = context;
    const { items } = await store.list({ type: deploymentType, under: id.toString() });
    const running = items.find(isBusy);
    if (running !== undefined) {
      throw new ApiError("Conflict", `The deployment '${running.id}' is still running; cancel it or wait.`, {
        target: running.id,
      });
    }
    for (const item of items) {
      await context.write({ document: { kind: "remove", id: item.id, expect: { etag: item.etag } } });
    }
  },
};

const resourceGroup = builtInType({
  name: "System.Resources/resourceGroups",
  policy: groupPolicy,
  nameKind: "resourceGroup",
  schema: {},
  handler: groupHandler,
});

function isBusy(document: StoredDocument): boolean {
  const state = objectMember(document.body, "properties")["provisioningState"];
  return typeof state === "string" && isProvisioningState(state) && !isTerminal(state);
}
