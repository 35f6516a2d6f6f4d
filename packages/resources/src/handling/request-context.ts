import { inSlices, type JsonObject, type ResourceId } from "@rad/core";
import { hideSecrets } from "./hide-secrets.ts";
import type { ChangeDeps } from "../change-deps.ts";
import type { Requester } from "../requester.ts";
import { resourceAccess } from "../resource-access.ts";
import type { HandlerContext, SealedValues } from "../resource-handler.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { splitStatus } from "./split-status.ts";

export interface HandledResource {
  readonly id: ResourceId;
  readonly apiVersion: string;
  readonly body: JsonObject;
  /** Those of the request; the stored ones when absent. */
  readonly secrets?: SealedValues;
}

/** What a handler that runs inside a request gets: it cannot pause, nor store anything before the request is done. */
export async function requestContext(
  { store, log, permissions, clock }: Pick<ChangeDeps, "store" | "log" | "permissions" | "clock">,
  request: ResourceRequest,
  { id, apiVersion, body, secrets }: HandledResource,
): Promise<HandlerContext> {
  return {
    id,
    apiVersion,
    ...(await inSlices(splitStatus(body))),
    secrets: async () => {
      const values = secrets ?? (await store.secrets(id.toString()));
      await inSlices(hideSecrets((texts) => request.hide(texts), values));
      return values;
    },
    requester: requesterOf(request),
    resources: {
      ...resourceAccess(store, permissions, request),
      put: () => Promise.reject(notInRequests()),
      delete: () => Promise.reject(notInRequests()),
    },
    deployments: { run: () => Promise.reject(notInRequests()) },
    signal: request.signal(),
    log: log.child({ resource: id.toString(), correlationId: request.correlationId }),
    isForced: false,
    startedAt: clock.now(),
    withoutSlot: (work) => work(),
    step: (_name, work) => work(unseenStep),
    save: () => Promise.reject(notInRequests()),
    write: async (change) => {
      await store.write(change);
    },
  };
}

/** Plain members, so that a handler can spread them; those of a request may be computed. */
function requesterOf(request: ResourceRequest): Requester {
  const { caller, correlationId, traceparent } = request;
  return { caller, correlationId, traceparent, hide: (values) => request.hide(values) };
}

/** Steps of a synchronous request are not stored. */
const unseenStep: Parameters<Parameters<HandlerContext["step"]>[1]>[0] = {
  detail: () => {},
  share: () => {},
  step: (_name, work) => work(unseenStep),
};

/** The client waits for the answer, and no operation resumes the work after a crash. */
function notInRequests(): TypeError {
  return new TypeError("A synchronous type stores and starts nothing else before it is done.");
}
