import { ResourceId } from "@rad/core";
import type { NewOperation, StoredDocument } from "@rad/store";
import type { ApiRequest } from "../http/api-request.ts";
import { intent, operationOutcome, recordsOfSynchronous } from "./audit.ts";
import { checkConditions } from "./conditions.ts";
import { newOperation } from "./new-operation.ts";
import type { ChangeDeps } from "./put-resource.ts";
import { requestContext } from "./request-context.ts";
import { requireIdle, withState } from "./resource-state.ts";
import type { ServedType } from "./served-type.ts";
import { withFreshTypes, writeChange } from "./write-change.ts";

export type DeleteResult =
  | { readonly kind: "absent" | "removed" }
  | {
      readonly kind: "accepted";
      readonly type: ServedType;
      readonly document: StoredDocument | undefined;
      readonly operation: NewOperation;
    };

export function deleteResource(deps: ChangeDeps, request: ApiRequest): Promise<DeleteResult> {
  return withFreshTypes(deps.types, () => tryDelete(deps, request));
}

async function tryDelete(deps: ChangeDeps, request: ApiRequest): Promise<DeleteResult> {
  const { store, clock } = deps;
  const type = await deps.types.resolve(request.id, request.apiVersion);
  const version = type.version(request.apiVersion);
  const current = await store.get(request.id.toString());
  checkConditions(request, current, request.id);
  if (current === undefined) {
    return { kind: "absent" };
  }
  const force = request.parameter("force") === "true";
  if (!force) {
    requireIdle(current);
  }
  const id = ResourceId.parse(current.id);
  const guards = (await type.handler.guardDelete?.({ document: current, store })) ?? [];
  const record = intent(request, `${id.type}/delete`, id.toString(), clock);
  const expect = { etag: current.etag };
  const superseded =
    force && current.operationId !== undefined ? await store.operations.get(current.operationId) : undefined;
  const supersede = superseded === undefined ? {} : { supersede: superseded.id };
  const cut = superseded === undefined ? [] : [operationOutcome(superseded, "Canceled", clock)];

  if (type.policy.mode === "sync") {
    const audit = await recordsOfSynchronous(store, record, type.handler.delete !== undefined);
    await type.handler.delete?.(requestContext(deps, request, { id, version, body: current.body }));
    await writeChange(store, id, {
      document: { kind: "remove", id: current.id, expect },
      guards,
      audit: [...cut, ...audit],
      ...supersede,
    });
    return { kind: "removed" };
  }
  const operation = newOperation(request, type, { id, kind: "delete", timeoutMs: type.policy.deleteTimeoutMs });
  const input = {
    id: current.id,
    type: current.type,
    apiVersion: current.apiVersion,
    body: withState(current.body, "Accepted"),
    secrets: "keep" as const,
    operationId: operation.id,
  };
  const document = await writeChange(store, id, {
    document: { kind: "put", input, expect },
    operation,
    audit: [...cut, { ...record, operationId: operation.id }],
    ...supersede,
  });
  return { kind: "accepted", type, document, operation };
}
