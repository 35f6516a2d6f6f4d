import { inSlices, isJsonObject, type JsonObject, objectMember, ResourceId, sameJson } from "@rad/core";
import type { OperationContext } from "@rad/operations";
import type { ResourceSchema } from "@rad/resource-types";
import type { DocumentPut, DocumentRemove, Durability, StoredDocument } from "@rad/store";
import { anonymousCaller, callerFromJson } from "../caller.ts";
import type { Done, HandlerContext, SealedValues, StoredResource } from "../resource-handler.ts";
import type { Requester } from "../requester.ts";
import { resourceAccess } from "../resource-access.ts";
import { withState } from "../resource-state.ts";
import { applyResult, applyStatus } from "../handling/apply-result.ts";
import { hideSecrets } from "../handling/hide-secrets.ts";
import { splitStatus } from "../handling/split-status.ts";
import { resourceEditor } from "./resource-editor.ts";
import { replaceBody } from "./replace-body.ts";
import type { ResourceExecutorDeps } from "./resource-executor.ts";

/** What a handler stores in the middle of its work. */
interface Saved {
  readonly status: JsonObject;
  readonly secrets: SealedValues;
  readonly properties: JsonObject;
}

/** One attempt of a handler at one resource. Knows the document as the attempt's own writes left it. */
export class ResourceWork {
  readonly #deps: ResourceExecutorDeps;
  readonly #context: OperationContext;
  readonly #requester: Requester;
  #document: StoredDocument;
  #sealed: Promise<SealedValues> | undefined;
  /** Saves wait for each other: each builds on the document that the one before it stored. */
  #saving: Promise<void> = Promise.resolve();

  constructor(deps: ResourceExecutorDeps, context: OperationContext, document: StoredDocument) {
    this.#deps = deps;
    this.#context = context;
    this.#document = document;
    const { identity, correlationId, traceparent } = context.operation;
    this.#requester = {
      // Operations that were accepted before callers were stored whole have none; such a caller may do nothing.
      caller: identity === undefined ? anonymousCaller : callerFromJson(identity),
      correlationId,
      traceparent,
      hide: (values) => context.hide(values),
    };
  }

  get document(): StoredDocument {
    return this.#document;
  }

  /** Shows the outside that work goes on. */
  async begin(): Promise<void> {
    const body = await inSlices(withState(this.#document.body, "Updating"));
    const document = replaceBody(this.#document, body, { operationId: this.#context.operation.id });
    await this.#replace(document, "soon"); // after a power cut the operation begins once more
  }

  async resource(): Promise<StoredResource> {
    const { id, apiVersion, body } = this.#document;
    const { store, permissions } = this.#deps;
    return {
      id: ResourceId.parse(id),
      apiVersion,
      ...(await inSlices(splitStatus(body))),
      resources: resourceAccess(store, permissions, this.#requester),
    };
  }

  async handlerContext(): Promise<HandlerContext> {
    const { deployments } = this.#deps;
    const { operation, lease, signal, log } = this.#context;
    const requester = this.#requester;
    const resource = await this.resource();
    const { id } = resource;
    return {
      ...resource,
      secrets: async () => {
        const values = await this.#secrets();
        await this.#hide(values);
        return values;
      },
      requester,
      resources: resourceEditor(this.#deps, { requester, lease, signal }),
      deployments: deployments({ resourceId: id, operationId: operation.id, lease, requester, signal }),
      signal,
      log,
      isForced: isJsonObject(operation.input) && operation.input["force"] === true,
      startedAt: operation.startedAt ?? operation.createdAt,
      withoutSlot: (work) => this.#context.withoutSlot(work),
      step: (name, work, options) => this.#context.step(name, work, options),
      save: (status, secrets = {}, properties = {}) => this.#save({ status, secrets, properties }),
      write: async (change) => {
        await this.#context.write(change);
      },
    };
  }

  /** Resolves when nothing is being saved any more. */
  saved(): Promise<void> {
    return this.#saving;
  }

  /** The document with what the handler made. */
  async succeeded(done: Done | undefined): Promise<DocumentPut> {
    if (done === undefined) {
      return replaceBody(this.#document, await inSlices(withState(this.#document.body, "Succeeded")));
    }
    const { type } = this.#document;
    const schema = await this.#schema();
    const stored = objectMember(this.#document.body, "properties");
    const properties =
      stored["status"] === undefined ? done.properties : { status: stored["status"], ...done.properties };
    const sealed = await this.#secrets();
    const { visible, secrets: made } = await inSlices(applyResult({ schema, type, sealed }, { ...done, properties }));
    const secrets = await keepSame(made, sealed);
    const body = await inSlices(withState({ ...this.#document.body, properties: visible }, "Succeeded"));
    return replaceBody(this.#document, body, { secrets });
  }

  removal(): DocumentRemove {
    return { kind: "remove", id: this.#document.id, expect: { etag: this.#document.etag } };
  }

  #save(saved: Saved): Promise<void> {
    const saving = this.#saving.then(() => this.#saveNow(saved));
    // Handled here too, so that a handler that does not await save() cannot end the process.
    this.#saving = saving.catch(() => {});
    return saving;
  }

  async #saveNow({ status, secrets, properties }: Saved): Promise<void> {
    // The handler may go on to name in an error what it made itself.
    await this.#hide(secrets);
    const { type } = this.#document;
    const stored = { ...objectMember(this.#document.body, "properties"), ...properties };
    const sealed = await this.#secrets();
    const schema = await this.#schema();
    const saved = await inSlices(applyStatus({ schema, type, sealed }, stored, { status, secrets }));
    await this.#hide(saved.secrets);
    const body = { ...this.#document.body, properties: saved.visible };
    const { id: operationId } = this.#context.operation;
    const document = replaceBody(this.#document, body, { secrets: await keepSame(saved.secrets, sealed), operationId });
    await this.#replace(document, "now");
    this.#sealed = Promise.resolve(saved.secrets);
  }

  async #replace(document: DocumentPut, durability: Durability): Promise<void> {
    this.#document = (await this.#context.write({ document, durability })) ?? this.#document;
  }

  async #schema(): Promise<ResourceSchema | undefined> {
    const { id, apiVersion } = this.#document;
    const served = await this.#deps.types.resolve(ResourceId.parse(id), apiVersion);
    return served.version(apiVersion).schema;
  }

  async #hide(values: SealedValues): Promise<void> {
    await inSlices(hideSecrets((texts) => this.#context.hide(texts), values));
  }

  #secrets(): Promise<SealedValues> {
    this.#sealed ??= this.#deps.store.secrets(this.#document.id);
    return this.#sealed;
  }
}

/** Sealing the same values again would change the ETag of a resource that stays the same. */
async function keepSame(secrets: SealedValues, sealed: SealedValues): Promise<SealedValues | "keep"> {
  return (await inSlices(sameJson({ ...secrets }, { ...sealed }))) ? "keep" : secrets;
}
