import { ApiError, type JsonObject, jsonPointer, type JsonValue } from "@rad/core";
import type { ResourcePreview } from "@rad/resources";
import type { Store } from "@rad/store";
import type {
  ActionOrder,
  ContentOrder,
  Deleted,
  DeleteOrder,
  DeploymentTarget,
  FinishOrder,
  PreviewOrder,
  PutOrder,
  ReadOrder,
  Sent,
  TypeOrder,
} from "./deployment-target.ts";
import type { ExternalPut, ExternalSent, ExternalTarget } from "./external-target.ts";
import { textsIn } from "./texts-in.ts";
import { unknownEffect } from "./unknown-effect.ts";

/** Of a change whose target fails in ways that say nothing about it. */
const maxTries = 3;

/**
 * Makes a deployment target of one whose effects lie outside of the store:
 *
 *     intent stored ── send ──→ answer ── effect stored
 *
 * A process that dies in between leaves the intent behind, and the next attempt sends the same again, with the same key.
 * Nothing is ever sent without an intent, so whatever exists outside has a record.
 */
export function recordAfterwards(target: ExternalTarget, store: Store): DeploymentTarget {
  return new RecordedTarget(target, store);
}

class RecordedTarget implements DeploymentTarget {
  readonly #target: ExternalTarget;
  readonly #store: Store;

  constructor(target: ExternalTarget, store: Store) {
    this.#target = target;
    this.#store = store;
  }

  checkType(order: TypeOrder): Promise<void> {
    return orAway(order, () => this.#target.checkType(order));
  }

  async put({ lease, intent, record, ...order }: PutOrder): Promise<Sent> {
    hideSecrets(order);
    if (!order.sentBefore) {
      await this.#store.write({ lease, also: [intent()] });
    }
    const sent = await this.#send(order);
    const { change, id, warnings = [] } = sent;
    const tracking = sent.kind === "accepted" ? sent.tracking : undefined;
    await this.#store.write({ lease, also: [record({ change, id, tracking, warnings })] });
    return sent;
  }

  /** An error that is no answer leaves open whether the change arrived; sending it again tells. */
  async #send(order: ExternalPut): Promise<ExternalSent> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await orAway(order, () => this.#target.put({ ...order, sentBefore: order.sentBefore || tries > 1 }));
      } catch (error) {
        if (error instanceof ApiError || order.signal.aborted) {
          throw error;
        }
        if (tries === maxTries) {
          throw unknownEffect("Internal", error);
        }
      }
    }
  }

  /** A provider that has forgotten what it was doing may have done it. */
  async finish(order: FinishOrder): Promise<JsonObject> {
    try {
      return await orAway(order, () => this.#target.finish(order));
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      const body = await this.read(order);
      if (body === undefined) {
        const message = `The provider knows nothing of '${order.tracking}' any more, and the resource is not there.`;
        throw new ApiError("NotFound", message, { cause: error });
      }
      return body;
    }
  }

  read(order: ReadOrder): Promise<JsonObject | undefined> {
    return orAway(order, () => this.#target.read(order));
  }

  delete({ lease: _lease, ...order }: DeleteOrder): Promise<Deleted> {
    return orAway(order, () => this.#target.delete(order));
  }

  async finishDelete(order: FinishOrder): Promise<void> {
    try {
      await orAway(order, () => this.#target.finishDelete(order));
    } catch (error) {
      if (!isNotFound(error) || (await this.read(order)) !== undefined) {
        throw error;
      }
    }
  }

  act(order: ActionOrder): Promise<JsonValue> {
    return orAway(order, () => this.#target.act(order));
  }

  preview(order: PreviewOrder): Promise<ResourcePreview> {
    hideSecrets(order);
    return orAway(order, () => this.#target.preview(order));
  }
}

/** Providers repeat in their errors what they were sent. */
function hideSecrets({ requester, body, secrets }: ContentOrder): void {
  requester.hide(secrets.flatMap((pointer) => [...textsIn(jsonPointer.get(body, pointer) ?? null)]));
}

/** Tells apart a target that cannot be reached, which is worth another call, from one that is broken. */
async function orAway<T>(order: TypeOrder & { readonly signal?: AbortSignal }, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    order.signal?.throwIfAborted();
    if (error instanceof ApiError || !isNetworkError(error)) {
      throw error;
    }
    const message = `The provider of '${order.type}' cannot be reached.`;
    throw new ApiError("ServiceUnavailable", message, { transient: true, cause: error });
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

const networkCode = /^(?:ECONN|ENET|EHOST|EAI_|ENOTFOUND|EPIPE|ETIMEDOUT|UND_ERR_)/;

/** `fetch` keeps the reason in `cause`. */
function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { code } = error as NodeJS.ErrnoException;
  const isOwn = error.name === "TimeoutError" || (typeof code === "string" && networkCode.test(code));
  return isOwn || isNetworkError(error.cause);
}
