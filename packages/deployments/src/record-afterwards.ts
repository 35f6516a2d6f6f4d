import { ApiError, type Clock, isJsonObject, type JsonObject, jsonPointer, type JsonValue } from "@rad/core";
import { intent as intentOf, type ResourcePreview } from "@rad/resources";
import { type AuditRecord, type Store, StoreError } from "@rad/store";
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
  ResourceOrder,
  Sent,
  TypeOrder,
} from "./deployment-target.ts";
import type { ExternalPut, ExternalSent, ExternalTarget } from "./external-target.ts";
import { textMember } from "./deployment-document.ts";
import { textsIn } from "./texts-in.ts";
import { unknownEffect } from "./unknown-effect.ts";

/** What is accepted has another outcome in the end. */
const outcomeStatus = { Succeeded: 200, Accepted: 202, Failed: 409 } as const;

/** Of a call that fails in a way that is no answer. */
const maxTries = 3;

/**
 * Makes a deployment target of one whose effects lie outside of the store:
 *
 *     intent stored ── send ──→ answer ── effect stored
 *
 * A process that dies in between leaves the intent behind, and the next attempt sends the same again, with the same key.
 * Nothing is ever sent without an intent, so whatever exists outside has a record. The audit log has the same.
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
    const audited = this.#audited(order, "write", planned.input.id);
    if (!order.sentBefore) {
      await this.#store.write({ lease, also: [planned], audit: [audited] });
    }
    const sent = await this.#orRefused(audited, () => this.#send(order));
    const { change, id, warnings = [] } = sent;
    const tracking = sent.kind === "accepted" ? sent.tracking : undefined;
    const outcome = this.#outcome(audited, id, tracking === undefined ? "Succeeded" : "Accepted");
    await this.#store.write({ lease, also: [record({ change, id, tracking, warnings })], audit: [outcome] });
    return sent;
  }

  async finish(order: FinishOrder): Promise<JsonObject> {
    const audited = this.#audited(order, "write", order.type);
    try {
      const body = await this.#finished(order);
      await this.#store.audit.append([this.#outcome(audited, textMember(body, "id") || undefined, "Succeeded")]);
      return body;
    } catch (error) {
      if (error instanceof ApiError && !error.transient) {
        await this.#store.audit.append([this.#outcome(audited, undefined, "Failed")]);
      }
      throw error;
    }
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
    const audited = this.#audited(order, "delete", order.type);
    await this.#store.write({ lease, audit: [audited] });
    const deleted = await this.#orRefused(audited, () => answerOf(order, () => this.#target.delete(order)));
    await this.#store.audit.append([
      this.#outcome(audited, undefined, deleted.kind === "done" ? "Succeeded" : "Accepted"),
    ]);
    return deleted;
  }

  async finishDelete(order: FinishOrder): Promise<void> {
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
    const answer = await this.#orRefused(audited, () => answerOf(order, () => this.#target.act(order)));
    await this.#store.audit.append([this.#outcome(audited, undefined, "Succeeded")]);
    return answer;
  }

  preview(order: PreviewOrder): Promise<ResourcePreview> {
    hideSecrets(order);
    return answerOf(order, () => this.#target.preview(order));
  }

  /** @param place stands for the resource while nobody knows its id. */
  #audited(order: ResourceOrder, verb: string, place: string): AuditRecord {
    const { caller, correlationId } = order.requester;
    const asked = { caller, correlationId, apiVersion: order.apiVersion };
    return intentOf(asked, `${order.type}/${verb}`, order.id ?? place, this.#clock);
  }

  #outcome(audited: AuditRecord, id: string | undefined, result: keyof typeof outcomeStatus): AuditRecord {
    const target = id ?? audited.target;
    return { ...audited, target, phase: "outcome", time: this.#clock.now(), status: outcomeStatus[result], result };
  }

  async #orRefused<T>(audited: AuditRecord, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (error instanceof ApiError && !error.transient) {
        const { status, code } = error;
        await this.#store.audit.append([
          { ...audited, phase: "refusal", time: this.#clock.now(), status, result: code },
        ]);
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
