import { ApiError, inSlices, ResourceId } from "@rad/core";
import type { Ending, OperationContext, OperationExecutor, Outcome } from "@rad/operations";
import type { AuditRecord, Operation, OperationOutcome, StoredDocument } from "@rad/store";
import { operationOutcome } from "../audit.ts";
import type { ChangeDeps } from "../change-deps.ts";
import type { DeploymentRunners } from "../deployment-runner.ts";
import { serverReader } from "../resource-access.ts";
import type { Done, HandlerContext, HandlerResult, Pause, ResourceHandler } from "../resource-handler.ts";
import { withState } from "../resource-state.ts";
import { cancelDeployments } from "../cancel-deployments.ts";
import { ResourceWork } from "./resource-work.ts";
import { replaceBody } from "./replace-body.ts";

export interface ResourceExecutorDeps extends ChangeDeps {
  readonly deployments: DeploymentRunners;
  /** By type name in any case; a type without code has an empty one. */
  readonly handlerFor: (type: string) => ResourceHandler;
}

type Handle = (context: HandlerContext) => Promise<HandlerResult>;

interface Found {
  readonly work: ResourceWork;
  /** Absent where no code acts on the resource. */
  readonly handle: Handle | undefined;
}

/**
 * Carries out operations on resources of asynchronous types:
 *
 *     Accepted ── an attempt → Updating ── the handler is done ───→ Succeeded, or for a DELETE the document goes
 *                              │ ────── the handler pauses ───────→ Updating   (a later attempt goes on)
 *                              │ ────── it fails for good ────────→ Failed     (what it saved stays)
 *                              └ ────── cancelled, out of time ───→ Canceled   (what it saved stays)
 */
export class ResourceExecutor implements OperationExecutor {
  readonly #deps: ResourceExecutorDeps;

  constructor(deps: ResourceExecutorDeps) {
    this.#deps = deps;
  }

  async run(context: OperationContext): Promise<Outcome> {
    const { operation } = context;
    const found = await this.#find(context);
    if (found === undefined) {
      throw new ApiError("NotFound", "The resource was removed before the operation could run.", {
        target: operation.resourceId,
      });
    }
    const { work, handle } = found;
    if (handle !== undefined) {
      await work.begin(); // what has nothing to do is done before anybody could look
    }
    const guards = operation.kind === "delete" ? await this.#guardDelete(operation, work.document) : [];
    const result = handle && (await this.#handle(work, operation, handle));
    if (result !== undefined && result.kind !== "done") {
      return result;
    }
    const audit = [this.#outcome(operation, "Succeeded")];
    if (operation.kind === "delete" && result === undefined) {
      return { kind: "done", ending: { document: work.removal(), guards, audit } };
    }
    return { kind: "done", ending: { document: await work.succeeded(result), audit } };
  }

  async conclude(operation: Operation, outcome: OperationOutcome): Promise<Ending> {
    const audit = [this.#outcome(operation, outcome.state)];
    const cancel = outcome.state === "Canceled" ? { cancel: cancelDeployments(operation.id) } : {};
    const document = await this.#deps.store.get(operation.resourceId);
    if (document === undefined || document.operationId !== operation.id) {
      return { audit, ...cancel };
    }
    const body = await inSlices(withState(await document.parsed(), outcome.state));
    return { document: replaceBody(document, body), audit, ...cancel };
  }

  /**
   * The resource as it is, with the code that acts on it. Where none does, the resource may be as it was last seen: the end
   * of the operation is refused if that is outdated, and then it is read. Large ones are not remembered.
   */
  async #find(context: OperationContext): Promise<Found | undefined> {
    const { store } = this.#deps;
    const { resourceId } = context.operation;
    const { document: seen, isCertain } = store.recall(resourceId);
    const first = seen ?? (await store.get(resourceId));
    const found = first && (await this.#withHandle(context, first));
    if (found?.handle === undefined || seen === undefined || isCertain) {
      return found;
    }
    const document = await store.get(resourceId);
    return document?.etag === seen.etag ? found : document && (await this.#withHandle(context, document));
  }

  async #withHandle(context: OperationContext, document: StoredDocument): Promise<Found> {
    const { operation } = context;
    const { kind } = operation;
    await document.parsed();
    const work = new ResourceWork(this.#deps, context, document);
    const handler = this.#handler(operation);
    const handle = this.#handleOf(operation, handler);
    const isIdle =
      handle !== undefined &&
      handler.isIdle !== undefined &&
      (kind === "put" || kind === "delete") &&
      (await handler.isIdle(kind, await work.resource()));
    return { work, handle: isIdle ? undefined : handle };
  }

  /** However the handler ends: what it left to be saved is saved before anything else becomes of the document. */
  async #handle(work: ResourceWork, operation: Operation, handle: Handle): Promise<Done | Pause | undefined> {
    try {
      return checkResult(operation, (await handle(await work.handlerContext())) ?? undefined);
    } finally {
      await work.saved();
    }
  }

  /** Asked again: the request was checked when it was accepted, and what it would leave behind may be new. */
  async #guardDelete(operation: Operation, document: StoredDocument): Promise<Ending["guards"]> {
    const resources = serverReader(this.#deps.store, () => {});
    return (await this.#handler(operation).guardDelete?.({ document, resources })) ?? [];
  }

  /** @throws ApiError for a kind of operation that the type does not have. */
  #handleOf(operation: Operation, handler: ResourceHandler): Handle | undefined {
    switch (operation.kind) {
      case "put":
        return handler.put && ((context) => Promise.resolve(handler.put?.(context)));
      case "delete":
        return handler.delete && ((context) => Promise.resolve(handler.delete?.(context)));
      default: {
        const handle = handler.operations?.[operation.kind];
        if (handle === undefined) {
          const { type } = ResourceId.parse(operation.resourceId);
          throw new ApiError("Internal", `'${type}' has no operation of the kind '${operation.kind}'.`);
        }
        return handle;
      }
    }
  }

  #handler(operation: Operation): ResourceHandler {
    return this.#deps.handlerFor(ResourceId.parse(operation.resourceId).type);
  }

  #outcome(operation: Operation, result: string): AuditRecord {
    return operationOutcome(operation, result, this.#deps.clock);
  }
}

/** Modules need not be compiled with our types. @throws ApiError, since the same code gives the same again. */
function checkResult({ resourceId }: Operation, result: Done | Pause | undefined): Done | Pause | undefined {
  switch (result?.kind) {
    case undefined:
    case "done":
    case "again":
    case "waiting":
      return result;
    default: {
      result satisfies never;
      const { type } = ResourceId.parse(resourceId);
      throw new ApiError("Internal", `The handler of '${type}' returned a result of an unknown kind.`);
    }
  }
}
