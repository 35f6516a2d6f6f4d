import { ApiError, type Clock, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { Ending, OperationContext, OperationExecutor, Outcome } from "@rad/operations";
import { secretStrings } from "@rad/resource-types";
import type { AuditRecord, DocumentInput, Operation, OperationOutcome, Store, StoredDocument } from "@rad/store";
import { operationOutcome } from "../audit.ts";
import type { HandlerContext, ResourceHandler } from "../resource-handler.ts";
import { withState } from "../resource-state.ts";

export interface ResourceExecutorDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly handlerFor: (type: string) => ResourceHandler;
}

/** Carries out accepted PUTs and DELETEs of asynchronous types. */
export class ResourceExecutor implements OperationExecutor {
  readonly #deps: ResourceExecutorDeps;

  constructor(deps: ResourceExecutorDeps) {
    this.#deps = deps;
  }

  async begin(context: OperationContext): Promise<void> {
    const { operation } = context;
    const handler = this.#handler(operation);
    if (handler[operation.kind === "delete" ? "delete" : "put"] === undefined) {
      return; // done before anybody could look
    }
    const document = await this.#deps.store.get(operation.resourceId);
    if (document !== undefined) {
      await context.write(replaceBody(document, withState(document.body, "Updating"), operation.id));
    }
  }

  async run(context: OperationContext): Promise<Outcome> {
    const { operation } = context;
    const document = await this.#deps.store.get(operation.resourceId);
    if (document === undefined) {
      throw new ApiError("NotFound", "The resource was removed before the operation could run.", {
        target: operation.resourceId,
      });
    }
    const audit = [this.#outcome(operation, "Succeeded")];
    if (operation.kind === "delete") {
      return { kind: "done", ending: { ...(await this.#delete(context, document)), audit } };
    }
    const properties = await this.#handler(operation).put?.(this.#handlerContext(context, document));
    const body = properties === undefined ? document.body : { ...document.body, properties };
    return { kind: "done", ending: { ...replaceBody(document, withState(body, "Succeeded")), audit } };
  }

  async conclude(operation: Operation, outcome: OperationOutcome): Promise<Ending> {
    const audit = [this.#outcome(operation, outcome.state)];
    const document = await this.#deps.store.get(operation.resourceId);
    if (document === undefined || document.operationId !== operation.id) {
      return { audit };
    }
    return { ...replaceBody(document, withState(document.body, outcome.state)), audit };
  }

  async #delete(context: OperationContext, document: StoredDocument): Promise<Ending> {
    const handler = this.#handler(context.operation);
    // Asked again: the request was checked when it was accepted, and what it would leave behind may be new.
    const guards = (await handler.guardDelete?.({ document, store: this.#deps.store })) ?? [];
    await handler.delete?.(this.#handlerContext(context, document));
    return { document: { kind: "remove", id: document.id, expect: { etag: document.etag } }, guards };
  }

  #handlerContext(context: OperationContext, document: StoredDocument): HandlerContext {
    const { store } = this.#deps;
    return {
      id: ResourceId.parse(document.id),
      apiVersion: document.apiVersion,
      properties: objectMember(document.body, "properties"),
      secrets: async () => {
        const values = await store.secrets(document.id);
        context.hide(secretStrings(values));
        return values;
      },
      store,
      signal: context.signal,
      log: context.log,
      // Everybody who may read the resource sees what its steps are called.
      step: (name, work) => context.step(name, work),
      write: async (change) => {
        await context.write(change);
      },
    };
  }

  #handler(operation: Operation): ResourceHandler {
    return this.#deps.handlerFor(ResourceId.parse(operation.resourceId).type);
  }

  #outcome(operation: Operation, result: string): AuditRecord {
    return operationOutcome(operation, result, this.#deps.clock);
  }
}

function replaceBody(document: StoredDocument, body: JsonObject, operationId?: string): Ending {
  const input: DocumentInput = {
    id: document.id,
    type: document.type,
    apiVersion: document.apiVersion,
    body,
    secrets: "keep",
    operationId,
  };
  return { document: { kind: "put", input, expect: { etag: document.etag } } };
}
