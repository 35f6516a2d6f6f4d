import { inSlices, ResourceId } from "@rad/core";
import type { Lease, NewOperation, StoredDocument, Write } from "@rad/store";
import { serverReader } from "../resource-access.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { intent, operationOutcome, synchronousOutcome } from "../audit.ts";
import { ChangeTrail } from "../change-trail.ts";
import { guardReferenced } from "../references/referenced.ts";
import { ownReferences } from "../references/referring.ts";
import type { TakeAlongRequest } from "../resource-handler.ts";
import { checkPreconditions } from "./preconditions.ts";
import { newOperation } from "./new-operation.ts";
import { cancelDeployments } from "../cancel-deployments.ts";
import type { ChangeDeps } from "../change-deps.ts";
import { requestContext } from "../handling/request-context.ts";
import { requireIdle, withState } from "../resource-state.ts";
import type { ServedType } from "../types/served-type.ts";
import { lookingAgain, withFreshTypes, writeChange } from "./write-change.ts";

export type DeleteResult =
  | { readonly kind: "absent" | "removed" }
  | {
      readonly kind: "accepted";
      readonly type: ServedType;
      readonly document: StoredDocument | undefined;
      readonly operation: NewOperation;
    };

export interface DeleteOptions {
  /** Cancels the operation that works on the resource instead of refusing. */
  readonly force?: boolean;
  /** The operation on whose behalf it is deleted; the write is refused without the lease. */
  readonly lease?: Lease;
  /** The operation that waits for the one that is accepted. */
  readonly awaitedBy?: string;
}

export function deleteResource(
  deps: ChangeDeps,
  request: ResourceRequest,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  return withFreshTypes(deps.types, () => lookingAgain(request, () => tryDelete(deps, request, options)));
}

async function tryDelete(
  deps: ChangeDeps,
  request: ResourceRequest,
  { force = false, lease, awaitedBy }: DeleteOptions,
): Promise<DeleteResult> {
  const { store, clock } = deps;
  const type = await deps.types.resolve(request.id, request.apiVersion);
  const version = type.version(request.apiVersion);
  const current = await store.get(request.id.toString());
  checkPreconditions(request, current, request.id);
  if (current === undefined) {
    return { kind: "absent" };
  }
  await current.parsed();
  if (!force) {
    requireIdle(current);
  }
  const id = ResourceId.parse(current.id);
  const resources = serverReader(store, (values) => request.hide(values));
  const guards = (await type.handler.guardDelete?.({ document: current, resources })) ?? [];
  const referenced = await guardReferenced(type.handler, current, resources);
  const record = intent(request, `${id.type}/delete`, id.toString(), clock);
  const expect = { etag: current.etag };
  const fenced = lease === undefined ? {} : { lease };
  const superseded =
    force && current.operationId !== undefined ? await store.operations.get(current.operationId) : undefined;
  const supersede =
    superseded === undefined ? {} : { supersede: superseded.id, cancel: cancelDeployments(superseded.id) };
  const cut = superseded === undefined ? [] : [operationOutcome(superseded, "Canceled", clock)];

  if (type.policy.mode === "sync") {
    const trail = new ChangeTrail(deps, record);
    return await trail.around(async () => {
      const write = (change: Write): Promise<unknown> => trail.write({ ...change, ...fenced });
      const along = await takenAlong(deps, request, { type, document: current, resources, write });
      if (type.handler.delete !== undefined) {
        await trail.begin();
      }
      const result = await type.handler.delete?.(
        await requestContext(deps, request, { id, apiVersion: version.name, body: current.body }),
      );
      if (result !== undefined) {
        throw new TypeError(`'${id.type}' is synchronous, so its handler can neither wait nor keep the document.`);
      }
      await writeChange(store, id, {
        document: { kind: "remove", id: current.id, expect },
        also: [
          ...along.also,
          ...referenced.also,
          ...ownReferences(type.handler, current).map((own) => ({ kind: "remove", id: own, expect: "any" }) as const),
        ],
        guards: [...guards, ...referenced.guards, ...along.guards],
        audit: [...cut, ...along.audit, ...trail.last()],
        ...supersede,
        ...fenced,
      });
      return { kind: "removed" };
    });
  }
  const { deleteTimeoutMs: timeoutMs } = type.policy;
  const operation = newOperation(request, type, {
    id,
    kind: "delete",
    timeoutMs,
    awaitedBy,
    ...(force ? { input: { force } } : {}),
  });
  const input = {
    id: current.id,
    type: current.type,
    apiVersion: current.apiVersion,
    body: await inSlices(withState(current.body, "Accepted")),
    secrets: "keep" as const,
    operationId: operation.id,
  };
  const document = await writeChange(store, id, {
    document: { kind: "put", input, expect },
    operation,
    audit: [...cut, { ...record, operationId: operation.id }],
    ...supersede,
    ...fenced,
  });
  return { kind: "accepted", type, document, operation };
}

/** What goes in the same transaction, on record like a DELETE of its own. */
async function takenAlong(
  { types, permissions, clock }: ChangeDeps,
  request: ResourceRequest,
  { type, ...asked }: Pick<TakeAlongRequest, "document" | "resources" | "write"> & { readonly type: ServedType },
): Promise<Required<Pick<Write, "also" | "guards" | "audit">>> {
  const { caller } = request;
  const taken = await type.handler.takeAlong?.({ ...asked, caller, permissions, types });
  if (taken === undefined) {
    return { also: [], guards: [], audit: [] };
  }
  const all = [...taken.resources, ...taken.records];
  return {
    also: all.map(({ id, etag }) => ({ kind: "remove", id, expect: { etag } })),
    guards: [{ kind: "empty", under: asked.document.id, except: all.map(({ id }) => id) }, ...(taken.guards ?? [])],
    audit: taken.resources.flatMap((item) => {
      const record = intent(request, `${item.type}/delete`, item.id, clock);
      return [record, synchronousOutcome(record, 200)];
    }),
  };
}
