import { ApiError, isJsonObject, type JsonObject, type JsonValue, ResourceId } from "@rad/core";
import type { ActionOrder, DeploymentTarget, PreviewOrder, PutOrder, ResourceOrder, Sent } from "@rad/deployments";
import type { AuditRecord } from "@rad/store";
import { checkShape } from "../api/json-body.ts";
import type { OperationWaiter } from "@rad/operations";
import {
  type ChangeDeps,
  operationError,
  previewResource,
  putResource,
  resourceNotFound,
  runAction,
  type ResourcePreview,
  type ResourceRequest,
} from "@rad/resources";

export interface InProcessTargetOptions {
  readonly resources: ChangeDeps;
  readonly waiter: OperationWaiter;
  /** Takes note of a change that was refused. */
  readonly refused: (record: AuditRecord) => void;
  /** Deepest nesting of a body, as for requests from outside: expressions can build any. */
  readonly maxDepth: number;
}

/** Sends what a deployment makes through the same code as a client's requests, without HTTP in between. */
export class InProcessTarget implements DeploymentTarget {
  readonly #resources: ChangeDeps;
  readonly #waiter: OperationWaiter;
  readonly #refused: (record: AuditRecord) => void;
  readonly #maxDepth: number;

  constructor({ resources, waiter, refused, maxDepth }: InProcessTargetOptions) {
    this.#resources = resources;
    this.#waiter = waiter;
    this.#refused = refused;
    this.#maxDepth = maxDepth;
  }

  async checkType(id: string, apiVersion: string | undefined): Promise<void> {
    const type = await this.#resources.types.resolve(ResourceId.parse(id), apiVersion);
    type.version(apiVersion);
  }

  async put(order: PutOrder): Promise<Sent> {
    const { record, lease, onlyIfAbsent, secrets } = order;
    const { change, document, operation } = await this.#change(order, "write", () =>
      putResource(this.#resources, this.#request(order, this.#completed(order.body)), {
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

  async finish({ id, tracking, signal }: ResourceOrder & { readonly tracking: string }): Promise<JsonObject> {
    const operation = await this.#waiter.wait(tracking, signal);
    if (operation !== undefined && operation.state !== "Succeeded") {
      throw operationError(id, operation);
    }
    const document = await this.#resources.store.get(id);
    if (document === undefined) {
      throw await resourceNotFound(this.#resources.store, ResourceId.parse(id));
    }
    return document.body;
  }

  async read({ id, apiVersion }: ResourceOrder): Promise<JsonObject | undefined> {
    if (apiVersion !== undefined) {
      await this.checkType(id, apiVersion);
    }
    return (await this.#resources.store.get(id))?.body;
  }

  async act(order: ActionOrder): Promise<JsonValue> {
    const stored = order.apiVersion === undefined ? await this.#resources.store.get(order.id) : undefined;
    const apiVersion = order.apiVersion ?? stored?.apiVersion;
    const body = order.body ?? (order.args.length === 0 ? undefined : { arguments: [...order.args] });
    checkShape(body ?? null, this.#maxDepth);
    const id = `${order.id}/${order.action}`;
    return await this.#change(order, `${order.action}/action`, () =>
      runAction(this.#resources, this.#request({ ...order, id, apiVersion }, body)),
    );
  }

  async preview(order: PreviewOrder): Promise<ResourcePreview> {
    const request = this.#request(order, this.#completed(order.body));
    const { method, secrets } = order;
    const preview = await previewResource(this.#resources, request, { method, secrets });
    // What is there already stays as it is.
    return order.onlyIfAbsent && preview.before !== undefined
      ? { before: preview.before, after: preview.before, changedSecrets: [], warnings: [] }
      : preview;
  }

  /**
   * Templates leave out where a resource is; clients have to say it, though there is one place only. And the way to leave
   * out a member under a condition is to give it as null.
   */
  #completed(body: JsonObject): JsonValue {
    checkShape(body, this.#maxDepth);
    const given = withoutNulls(body);
    return isJsonObject(given) ? { location: this.#resources.location, ...given } : given;
  }

  /** A change is on record once it is accepted; one that is refused is as well, as if a client had sent it. */
  async #change<T>({ id, apiVersion, requester }: ResourceOrder, verb: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (error instanceof ApiError) {
        this.#refused({
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

  #request({ id, apiVersion, requester, signal }: ResourceOrder, body: JsonValue | undefined): ResourceRequest {
    return {
      id: ResourceId.parse(id),
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
