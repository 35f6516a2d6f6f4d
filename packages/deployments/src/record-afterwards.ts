import { ApiError, type Clock, isJsonObject, type JsonObject, jsonPointer, type JsonValue } from "@rad/core";
import { intent as intentOf, type ResourcePreview } from "@rad/resources";
import { type AuditRecord, type Store, StoreError } from "@rad/store";
import type {
  ActionOrder,
  ChangeOrder,
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
import { textMember } from "./deployment-document.ts";
import { textsIn } from "./texts-in.ts";
import { isUnknownEffect, unknownEffect } from "./unknown-effect.ts";

/** Of a call that fails in a way that is no answer. */
const maxTries = 3;

/**
 * Makes a deployment target of one whose effects lie outside of the store:
 *
 *     intent stored ── send ──→ answer ── effect stored
 *
 * A process that dies in between leaves the intent behind, and the next attempt sends the same again, with the same key.
 * Nothing is ever sent without an intent, so whatever exists outside has a record. The audit log has the same: an intent
 * stays open, whatever becomes of the process, until the change has ended or the deployment has.
 */
export function recordAfterwards(target: ExternalTarget, deps: RecordDeps): DeploymentTarget {
  return new RecordedTarget(target, deps);
}

export interface RecordDeps {
  readonly store: Store;
  readonly clock: Clock;
}

class RecordedTarget implements DeploymentTarget {
  readonly #target: ExternalTarget;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(target: ExternalTarget, { store, clock }: RecordDeps) {
    this.#target = target;
    this.#store = store;
    this.#clock = clock;
  }

  checkType(order: TypeOrder): Promise<void> {
    return answerOf(order, () => this.#target.checkType(order));
  }

  async put({ lease, intent, record, ...order }: PutOrder): Promise<Sent> {
    hideSecrets(order);
    const planned = intent();
    const audited = this.#audited(order, "write", planned.input.id, lease.operationId);
    await this.#store.write({ lease, also: order.sentBefore ? [] : [planned], audit: [audited] });
    const sent = await this.#orFailed(audited, () => this.#send(order));
    const { change, id, warnings = [] } = sent;
    const tracking = sent.kind === "accepted" ? sent.tracking : undefined;
    const audit = tracking === undefined ? [this.#succeeded(audited, id)] : [];
    await this.#store.write({ lease, also: [record({ change, id, tracking, warnings })], audit });
    return sent;
  }

  async finish(order: FinishOrder): Promise<JsonObject> {
    const audited = this.#audited(order, "write", order.type);
    const body = await this.#orFailed(audited, () => this.#finished(order));
    await this.#store.audit.append([this.#succeeded(audited, textMember(body, "id") || undefined)]);
    return body;
  }

  /** A provider that has forgotten what it was doing may have done it. */
  async #finished(order: FinishOrder): Promise<JsonObject> {
    try {
      return await answerOf(order, () => this.#target.finish(order));
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
    return answerOf(order, () => this.#target.read(order));
  }

  async delete({ lease, ...order }: DeleteOrder): Promise<Deleted> {
    const audited = this.#audited(order, "delete", order.type, lease.operationId);
    await this.#store.write({ lease, audit: [audited] });
    const deleted = await this.#orFailed(audited, () => answerOf(order, () => this.#target.delete(order)));
    if (deleted.kind === "done") {
      await this.#store.audit.append([this.#succeeded(audited)]);
    }
    return deleted;
  }

  async finishDelete(order: FinishOrder): Promise<void> {
    const audited = this.#audited(order, "delete", order.type);
    await this.#orFailed(audited, () => this.#finishedDelete(order));
    await this.#store.audit.append([this.#succeeded(audited)]);
  }

  async #finishedDelete(order: FinishOrder): Promise<void> {
    try {
      await answerOf(order, () => this.#target.finishDelete(order));
    } catch (error) {
      if (!isNotFound(error) || (await this.read(order)) !== undefined) {
        throw error;
      }
    }
  }

  async act(order: ActionOrder): Promise<JsonValue> {
    const audited = this.#audited(order, `${order.action}/action`, order.type);
    await this.#store.audit.append([audited]);
    try {
      const answer = await this.#orFailed(audited, () => answerOf(order, () => this.#target.act(order)));
      await this.#store.audit.append([this.#succeeded(audited)]);
      return answer;
    } finally {
      this.#store.audit.abandon(order.key); // unless it has its outcome
    }
  }

  preview(order: PreviewOrder): Promise<ResourcePreview> {
    hideSecrets(order);
    return answerOf(order, () => this.#target.preview(order));
  }

  /**
   * @param place stands for the resource while its id is unknown.
   * @param operationId of the deployment, which goes on with what it has sent when its process dies.
   */
  #audited(order: ChangeOrder, verb: string, place: string, operationId?: string): AuditRecord {
    const { caller, correlationId } = order.requester;
    const asked = { caller, correlationId, apiVersion: order.apiVersion };
    const record = intentOf(asked, `${order.type}/${verb}`, order.id ?? place, this.#clock);
    return { ...record, operationId, intentId: order.key };
  }

  #succeeded(audited: AuditRecord, id = audited.target): AuditRecord {
    return { ...audited, target: id, phase: "outcome", time: this.#clock.now(), status: 200, result: "Succeeded" };
  }

  /** After an error that is no answer the same is sent again, and the intent stays open. */
  async #orFailed<T>(audited: AuditRecord, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (error instanceof ApiError && !error.transient && !isUnknownEffect(error)) {
        const { status } = error;
        const time = this.#clock.now();
        await this.#store.audit.append([{ ...audited, phase: "outcome", time, status, result: "Failed" }]);
      }
      throw error;
    }
  }

  async #send(order: ExternalPut): Promise<ExternalSent> {
    try {
      return await answerOf(order, async (isRepeated) =>
        checked(await this.#target.put({ ...order, sentBefore: order.sentBefore || isRepeated })),
      );
    } catch (error) {
      const isKnown = error instanceof ApiError || order.signal.aborted || isStoreAway(error);
      throw isKnown ? error : unknownEffect("Internal", error);
    }
  }
}

/** Without an id nobody finds again what was made. Targets take it from what a provider answers, which may be anything. */
function checked(sent: ExternalSent): ExternalSent {
  const isWhole =
    sent.kind === "done"
      ? isText(sent.id) && isJsonObject(sent.body)
      : isText(sent.tracking) && (sent.id === undefined || isText(sent.id));
  if (!isWhole) {
    throw new TypeError("The answer of the target lacks the id, the body or the tracking text of the resource.");
  }
  return sent;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Providers repeat in their errors what they were sent. */
function hideSecrets({ requester, body, secrets }: ContentOrder): void {
  requester.hide(secrets.flatMap((pointer) => [...textsIn(jsonPointer.get(body, pointer) ?? null)]));
}

/**
 * Repeats a call that fails in a way that is no answer, such as half a response: every call may be repeated.
 * @throws ApiError, `transient` when the provider cannot be reached; whatever else the target fails with in the end
 */
async function answerOf<T>(
  order: TypeOrder & { readonly signal?: AbortSignal },
  call: (isRepeated: boolean) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call(tries > 1);
    } catch (error) {
      order.signal?.throwIfAborted();
      if (isNetworkError(error)) {
        const message = `The provider of '${order.type}' cannot be reached.`;
        throw new ApiError("ServiceUnavailable", message, { transient: true, cause: error });
      }
      if (error instanceof ApiError || tries === maxTries) {
        throw error;
      }
    }
  }
}

/** Targets may need our store, for credentials say. It comes back, and the next attempt sends the same again. */
function isStoreAway(error: unknown): boolean {
  return error instanceof StoreError && (error.code === "Unavailable" || error.code === "NotWritable");
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

const networkCode = /^(?:ECONN|ENET|EHOST|EAI_|ENOTFOUND|EPIPE|ETIMEDOUT|UND_ERR_)/;

/** `fetch` keeps the reason in `cause`. */
function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) {
    return false;
  }
  const { code } = error as NodeJS.ErrnoException;
  const isOwn = error.name === "TimeoutError" || (typeof code === "string" && networkCode.test(code));
  return isOwn || isNetworkError(error.cause);
}
