import { ApiError, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { ChangeKind, ResourcePreview } from "@rad/resources";
import type {
  ActionOrder,
  ContentOrder,
  DeleteOrder,
  Deleted,
  FinishOrder,
  PreviewOrder,
  ReadOrder,
  ResourceOrder,
  TypeOrder,
} from "../../deployment-target.ts";
import type { ExternalPut, ExternalSent, ExternalTarget } from "../../external-target.ts";

export const boxType = "Test.Boxes/boxes";
export const boxVersion = "v1";

export interface BoxTargetOptions {
  /** Where the provider is, unless the configuration of the extension has an `endpoint`. */
  readonly url?: string;
  /** Looks for what an earlier send has made, as one has to where the provider keeps no keys. */
  readonly looksFirst?: boolean;
}

/** What the provider answers, to one request or another. */
interface BoxAnswer {
  readonly id?: string;
  readonly properties?: JsonObject;
  readonly change?: ChangeKind;
  readonly box?: BoxAnswer;
  readonly operation?: string;
  readonly state?: string;
  readonly error?: string;
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  readonly token?: "same" | "create" | "modify";
  readonly combination?: string;
}

/** Keeps boxes with a provider. */
export class BoxTarget implements ExternalTarget {
  readonly #url: string;
  readonly #looksFirst: boolean;

  constructor({ url = "", looksFirst = false }: BoxTargetOptions = {}) {
    this.#url = url;
    this.#looksFirst = looksFirst;
  }

  async checkType({ type, apiVersion }: TypeOrder): Promise<void> {
    if (type !== boxType || apiVersion !== boxVersion) {
      throw new ApiError("BadRequest", `There is no type '${type}@${apiVersion}'.`);
    }
  }

  async put(order: ExternalPut): Promise<ExternalSent> {
    const made = order.sentBefore && this.#looksFirst ? await this.#madeBefore(order) : undefined;
    if (made !== undefined) {
      return made;
    }
    const { key, onlyIfAbsent } = order;
    const sent = { ...content(order), key, onlyIfAbsent };
    const { change = "none", box, operation = "", id } = await this.#call(order, "POST", "/boxes", sent);
    return box === undefined ? { kind: "accepted", change, id, tracking: operation } : done(box, change);
  }

  async finish(order: FinishOrder): Promise<JsonObject> {
    for (;;) {
      const { state, box = {}, error } = await this.#call(order, "GET", `/operations/${order.tracking}`);
      if (state === "Failed") {
        throw new ApiError("Conflict", error ?? "");
      }
      if (state === "Succeeded") {
        return shown(box);
      }
    }
  }

  async read(order: ReadOrder): Promise<JsonObject | undefined> {
    const { title } = objectMember(order.body ?? {}, "properties");
    const byTitle = `?title=${encodeURIComponent(typeof title === "string" ? title : "")}`;
    const found = await this.#find(order, order.id === undefined ? byTitle : `/${order.id}`);
    return found && shown(found);
  }

  async delete(order: Omit<DeleteOrder, "lease">): Promise<Deleted> {
    const { operation } = await this.#call(order, "DELETE", `/boxes/${order.id}?key=${order.key}`);
    return operation === undefined ? { kind: "done" } : { kind: "accepted", tracking: operation };
  }

  async finishDelete(order: FinishOrder): Promise<void> {
    while ((await this.#call(order, "GET", `/operations/${order.tracking}`)).state === "Running");
  }

  async act(order: ActionOrder): Promise<JsonValue> {
    const { combination = "" } = await this.#call(order, "POST", `/boxes/${order.id}/${order.action}?key=${order.key}`);
    return { combination };
  }

  async preview(order: PreviewOrder): Promise<ResourcePreview> {
    const { before, after = {}, token = "same" } = await this.#call(order, "POST", "/preview", content(order));
    const isKept = order.onlyIfAbsent && before !== undefined;
    return {
      before: before && { properties: before },
      after: { properties: isKept ? before : after },
      changedSecrets: token === "same" || isKept ? [] : [{ pointer: "/properties/token", change: token }],
      warnings: [],
    };
  }

  async #madeBefore(order: ExternalPut): Promise<ExternalSent | undefined> {
    const box = await this.#find(order, `?label=${order.key}`);
    if (box === undefined) {
      return undefined;
    }
    const { state, operation = "", change = "none", id } = box;
    return state === "Ready" ? done(box, change) : { kind: "accepted", change, id, tracking: operation };
  }

  async #find(order: ResourceOrder, path: string): Promise<BoxAnswer | undefined> {
    try {
      return await this.#call(order, "GET", `/boxes${path}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  async #call(order: ResourceOrder, method: string, path: string, body?: JsonObject): Promise<BoxAnswer> {
    const { endpoint = this.#url, password = "" } = (order.extension?.config ?? {}) as Record<string, string>;
    const response = await fetch(`${endpoint}${path}`, {
      method,
      headers: { authorization: `Bearer ${password}` },
      signal: AbortSignal.any([order.signal, AbortSignal.timeout(10_000)]),
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = JSON.parse(await response.text()) as JsonObject;
    if (response.ok) {
      return answer;
    }
    const { message } = answer["error"] as { readonly message: string };
    if (response.status === 503) {
      throw new ApiError("ServiceUnavailable", message, { transient: true });
    }
    throw new ApiError(response.status === 404 ? "NotFound" : "BadRequest", message);
  }
}

function content({ id, method, body, extension }: ContentOrder): JsonObject {
  const account = extension?.config["account"] ?? null;
  return { ...(id === undefined ? {} : { id }), method, properties: objectMember(body, "properties"), account };
}

function done(box: BoxAnswer, change: ChangeKind): ExternalSent {
  return { kind: "done", change, id: box.id ?? "", body: shown(box) };
}

/** What a reader of the box sees, however it was found. */
function shown({ id = "", properties = {} }: BoxAnswer): JsonObject {
  return { id, type: boxType, properties };
}
