import type { PlaneModule, PlaneResourceType } from "@rad/modules";
import {
  basePolicy,
  builtInType,
  groupPolicy,
  planePolicy,
  refuseWhileNotEmpty,
  type ResourceHandler,
  type ServedType,
  type TypePolicy,
} from "@rad/resources";
import { groupContents } from "./group-contents.ts";
import { knownProperties, type PlaneTable } from "./plane-table.ts";

/** Planes and groups, by lower-cased type. */
export function planeTypes(planes: PlaneTable): ReadonlyMap<string, ServedType> {
  return new Map([
    ...[...planes].map((plane) => [plane.type.toLowerCase(), servedPlane(plane)] as const),
    ...[...planes].flatMap((plane) =>
      (plane.types ?? []).map((type) => [type.name.toLowerCase(), planeResource(plane, type)] as const),
    ),
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
        await refuseWhileNotEmpty(document, resources);
        return [{ kind: "empty", under: document.id }];
      },
    },
  });
}

/** Upstream serves them whether or not somebody has created the plane. */
function planeResource(plane: PlaneModule, { name, schema }: PlaneResourceType): ServedType {
  const policy: TypePolicy = { ...basePolicy, patch: "none", scopeOptional: true };
  return builtInType({ name, policy, nameKind: "resource", schema, handler: {}, plane: plane.name });
}

const groupHandler: ResourceHandler = {
  validate: () => ({ properties: {} }),
  takeAlong: groupContents,
};

const resourceGroup = builtInType({
  name: "System.Resources/resourceGroups",
  policy: groupPolicy,
  nameKind: "resourceGroup",
  schema: {},
  handler: groupHandler,
});
