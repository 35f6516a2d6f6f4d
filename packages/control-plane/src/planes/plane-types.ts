import type { PlaneModule } from "@rad/modules";
import {
  builtInType,
  groupPolicy,
  planePolicy,
  refuseWhileNotEmpty,
  type ResourceHandler,
  type ServedType,
} from "@rad/resources";
import { groupContents } from "./group-contents.ts";
import { knownProperties, type PlaneTable } from "./plane-table.ts";

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
        await refuseWhileNotEmpty(document, resources);
        return [{ kind: "empty", under: document.id }];
      },
    },
  });
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
