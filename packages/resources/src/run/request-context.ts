import { type JsonObject, type JsonValue, type Logger, objectMember, type ResourceId } from "@rad/core";
import { secretStrings } from "@rad/resource-types";
import type { Store } from "@rad/store";
import type { ResourceRequest } from "../resource-request.ts";
import type { HandlerContext } from "../resource-handler.ts";
import type { ServedVersion } from "../types/served-type.ts";

export interface HandledResource {
  readonly id: ResourceId;
  readonly version: ServedVersion;
  readonly body: JsonObject;
  /** Those of the request; the stored ones when absent. */
  readonly secrets?: Readonly<Record<string, JsonValue>>;
}

/** What a handler that runs inside a request gets. */
export function requestContext(
  { store, log }: { readonly store: Store; readonly log: Logger },
  request: ResourceRequest,
  { id, version, body, secrets }: HandledResource,
): HandlerContext {
  return {
    id,
    apiVersion: version.name,
    properties: objectMember(body, "properties"),
    secrets: async () => {
      const values = secrets ?? (await store.secrets(id.toString()));
      request.hide(secretStrings(values));
      return values;
    },
    store,
    signal: request.signal(),
    log: log.child({ resource: id.toString(), correlationId: request.correlationId }),
    step: (_name, work) => work(),
    write: async (change) => {
      await store.write(change);
    },
  };
}
