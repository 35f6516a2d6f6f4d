import { builtInTypes } from "@rad/radius-types";
import type { ResourceAction, ResourceHandler } from "../resources/resource-handler.ts";

const actions: ReadonlyMap<string, ResourceAction> = new Map(
  builtInTypes.flatMap(({ name, listSecrets }) =>
    listSecrets === undefined
      ? []
      : [[name.toLowerCase(), async ({ properties, secrets }) => listSecrets(properties, await secrets())]],
  ),
);

/** The handler of a type (in lower case) with `POST {resource}/listSecrets`, if it is one that gives secrets out. */
export function withListSecrets(type: string, handler: ResourceHandler): ResourceHandler {
  const listSecrets = actions.get(type);
  return listSecrets === undefined ? handler : { ...handler, actions: { listSecrets, ...handler.actions } };
}
