import { ApiError, ResourceId } from "@rad/core";
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

/**
 * Carries out operations on resources of asynchronous types:
 *
 *     Accepted ── begin ──→ Updating ── the handler is done ──────→ Succeeded, or for a DELETE the document goes
 *                              │ ────── the handler pauses ───────→ Updating   (a later attempt goes on)
 *                              │ ────── it fails for good ────────→ Failed     (what it saved stays)
 *                              └ ────── cancelled, out of time ───→ Canceled   (what it saved stays)
 */
export class ResourceExecutor implements OperationExecutor {
  readonly #deps: ResourceExecutorDeps;

  constructor(deps: ResourceExecutorDeps) {
    this.#deps = deps;
  }

  async begin(context: OperationContext): Promise<void> {
    const { operation } = context;
    if (this.#workOf(operation) === undefined) {
      return; // done before anybody could look
    }
    const document = await this.#deps.store.get(operation.resourceId);
    if (document !== undefined) {
      const body = withState(await document.parsed(), "Updating");
      await context.write({ document: replaceBody(document, body, { operationId: operation.id }) });
    }
  }

  async run(context: OperationContext): Promise<Outcome> {
    const { operation } = context;
    const document = await this.#current(operation);
    if (document === undefined) {
      throw new ApiError("NotFound", "The resource was removed before the operation could run.", {
        target: operation.resourceId,
      });
    }
    await document.parsed();
    const work = new ResourceWork(this.#deps, context, document);
    const guards = operation.kind === "delete" ? await this.#guardDelete(operation, document) : [];
    const result = await this.#handle(work, operation);
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
    return { document: replaceBody(document, withState(await document.parsed(), outcome.state)), audit, ...cancel };
  }

  /** Where no code acts on it, the end of the operation is refused if it is outdated; then it is read. */
  async #current(operation: Operation): Promise<StoredDocument | undefined> {
    const { store } = this.#deps;
    const recalled = this.#workOf(operation) === undefined ? store.recall(operation.resourceId).document : undefined;
    return recalled ?? (await store.get(operation.resourceId));
  }

  /** However the handler ends: what it left to be saved is saved before anything else becomes of the document. */
  async #handle(work: ResourceWork, operation: Operation): Promise<Done | Pause | undefined> {
    try {
      const result = (await this.#workOf(operation)?.(work.handlerContext())) ?? undefined;
      return checkResult(operation, result);
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
  #workOf(operation: Operation): ((context: HandlerContext) => Promise<HandlerResult>) | undefined {
    const handler = this.#handler(operation);
    switch (operation.kind) {
      case "put":
        return handler.put && ((context) => Promise.resolve(handler.put?.(context)));
      case "delete":
        return handler.delete && ((context) => Promise.resolve(handler.delete?.(context)));
      default: {
        const work = handler.operations?.[operation.kind];
        if (work === undefined) {
          const { type } = ResourceId.parse(operation.resourceId);
          throw new ApiError("Internal", `'${type}' has no operation of the kind '${operation.kind}'.`);
        }
        return work;
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
