import {
  ApiError,
  inSlices,
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  pauseAfter,
  ResourceId,
} from "@rad/core";
import type {
  ActionOrder,
  Deleted,
  DeleteOrder,
  DeploymentTarget,
  FinishOrder,
  PreviewOrder,
  PutOrder,
  ReadOrder,
  ResourceOrder,
  Sent,
  TypeOrder,
} from "@rad/deployments";
import type { AuditRecord } from "@rad/store";
import { checkShape } from "../api/json-body.ts";
import type { OperationWaiter } from "@rad/operations";
import {
  type ChangeDeps,
  deleteResource,
  isOnRecord,
  operationError,
  previewResource,
  putResource,
  resourceNotFound,
  runAction,
  type ResourcePreview,
  type ResourceRequest,
  withReferencedBy,
} from "@rad/resources";

export interface InProcessTargetOptions {
  readonly resources: ChangeDeps;
  readonly waiter: OperationWaiter;
  /** Takes note of a change that was refused. */
  readonly refused: (record: AuditRecord) => Promise<void>;
  /** Of bodies, as for requests from outside: expressions can build any. */
  readonly limits: JsonLimits;
}

/** Sends what a deployment makes through the same code as a client's requests, without HTTP in between. */
export class InProcessTarget implements DeploymentTarget {
  readonly #resources: ChangeDeps;
  readonly #waiter: OperationWaiter;
  readonly #refused: (record: AuditRecord) => Promise<void>;
  readonly #limits: JsonLimits;

  constructor({ resources, waiter, refused, limits }: InProcessTargetOptions) {
    this.#resources = resources;
    this.#waiter = waiter;
    this.#refused = refused;
    this.#limits = limits;
  }

  async checkType(order: TypeOrder): Promise<void> {
    const type = await this.#resources.types.resolve(ResourceId.parse(idOf(order)), order.apiVersion);
    type.version(order.apiVersion);
  }

  async put(order: PutOrder): Promise<Sent> {
    const { record, lease, onlyIfAbsent, secrets } = order;
    const { change, document, operation } = await this.#change(order, "write", async () =>
      putResource(this.#resources, this.#request(order, await this.#completed(order.body)), {
        method: order.method,
        onlyIfAbsent,
        keepUnchanged: true,
        secrets,
        awaitedBy: lease.operationId,
        together: (effect) => ({
          also: [record(effect)],
          lease,
          // What a power cut takes of it, the next attempt does again.
          ...(effect.tracking === undefined ? { durability: "soon" } : {}),
        }),
      }),
    );
    return operation === undefined
      ? { kind: "done", change, body: document.body }
      : { kind: "accepted", change, tracking: operation.id };
  }

  async finish(order: FinishOrder): Promise<JsonObject> {
    const id = idOf(order);
    await this.#ended(order);
    const document = await this.#resources.store.get(id);
    if (document === undefined) {
      throw await resourceNotFound(this.#resources.store, ResourceId.parse(id));
    }
    return document.body;
  }

  async read(order: ReadOrder): Promise<JsonObject | undefined> {
    const { store, types } = this.#resources;
    const document = await store.get(idOf(order));
    if (order.apiVersion === undefined) {
      return document?.body;
    }
    const type = await types.resolve(ResourceId.parse(idOf(order)), order.apiVersion);
    type.version(order.apiVersion);
    return document === undefined
      ? undefined
      : ((await withReferencedBy(type.handler, document, store)) ?? document.body);
  }

  async delete(order: DeleteOrder): Promise<Deleted> {
    const { lease } = order;
    const underWay = await this.#deletion(idOf(order));
    if (underWay !== undefined) {
      return { kind: "accepted", tracking: underWay };
    }
    const deleted = await this.#change(order, "delete", () =>
      deleteResource(this.#resources, this.#request(order, undefined), { lease, awaitedBy: lease.operationId }),
    );
    return deleted.kind === "accepted" ? { kind: "accepted", tracking: deleted.operation.id } : { kind: "done" };
  }

  async finishDelete(order: FinishOrder): Promise<void> {
    await this.#ended(order);
  }

  async act(order: ActionOrder): Promise<JsonValue> {
    const stored = order.apiVersion === undefined ? await this.#resources.store.get(idOf(order)) : undefined;
    const apiVersion = order.apiVersion ?? stored?.apiVersion;
    const body = order.body ?? (order.args.length === 0 ? undefined : { arguments: [...order.args] });
    await inSlices(checkShape(body ?? null, this.#limits));
    const id = `${idOf(order)}/${order.action}`;
    return await this.#change(order, `${order.action}/action`, () =>
      runAction(this.#resources, this.#request({ ...order, id, apiVersion }, body)),
    );
  }

  async preview(order: PreviewOrder): Promise<ResourcePreview> {
    const request = this.#request(order, await this.#completed(order.body));
    const { method, secrets, expected, nested, unknown } = order;
    const preview = await previewResource(this.#resources, request, { method, secrets, expected, nested, unknown });
    // What is there already stays as it is.
    return order.onlyIfAbsent && preview.before !== undefined
      ? { before: preview.before, after: preview.before, changedSecrets: [], warnings: [] }
      : preview;
  }

  /**
   * Templates leave out where a resource is; clients have to say it, though there is one place only. And the way to leave
   * out a member under a condition is to give it as null.
   */
  async #completed(body: JsonObject): Promise<JsonValue> {
    await inSlices(checkShape(body, this.#limits));
    const given = await inSlices(pauseAfter(() => withoutNulls(body)));
    return isJsonObject(given) ? { location: this.#resources.location, ...given } : given;
  }

  async #ended(order: FinishOrder): Promise<void> {
    const operation = await this.#waiter.wait(order.tracking, order.signal);
    if (operation !== undefined && operation.state !== "Succeeded") {
      throw operationError(idOf(order), operation);
    }
  }

  /** The operation that deletes the resource already, perhaps because the same order came before. */
  async #deletion(id: string): Promise<string | undefined> {
    const { store } = this.#resources;
    const operationId = (await store.get(id))?.operationId;
    const operation = operationId === undefined ? undefined : await store.operations.get(operationId);
    return operation?.kind === "delete" ? operation.id : undefined;
  }

  /** A change is on record once it is accepted; one that is refused is as well, as if a client had sent it. */
  async #change<T>(order: ResourceOrder, verb: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (error instanceof ApiError && !isOnRecord(error)) {
        const id = idOf(order);
        const { apiVersion, requester } = order;
        await this.#refused({
          phase: "refusal",
          time: this.#resources.clock.now(),
          caller: requester.caller.subject,
          action: `${ResourceId.parse(id).type}/${verb}`,
          target: id,
          apiVersion: apiVersion ?? "",
          correlationId: requester.correlationId,
          status: error.status,
          result: error.code,
        });
      }
      throw error;
    }
  }

  #request(order: ResourceOrder, body: JsonValue | undefined): ResourceRequest {
    const { apiVersion, requester, signal } = order;
    return {
      id: ResourceId.parse(idOf(order)),
      apiVersion,
      body,
      caller: requester.caller,
      correlationId: requester.correlationId,
      traceparent: requester.traceparent,
      ifMatch: undefined,
      ifNoneMatch: undefined,
      hide: (values) => requester.hide(values),
      signal: () => signal,
    };
  }
}

/** Templates name our own resources, so that planning knows their ids. */
function idOf({ id, type }: TypeOrder): string {
  if (id === undefined) {
    throw new ApiError("InvalidTemplateDeployment", `Resources of the type '${type}' have no id without a name.`);
  }
  return id;
}

/** Recursion is safe here: the depth of the value has been checked. Most have none, and are not copied. */
function withoutNulls(value: JsonValue): JsonValue {
  return hasNulls(value) ? copyWithoutNulls(value) : value;
}

function copyWithoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(copyWithoutNulls);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, copyWithoutNulls(member)]));
}

function hasNulls(value: JsonValue): boolean {
  return (
    typeof value === "object" && value !== null && Object.values(value).some((item) => item === null || hasNulls(item))
  );
}
