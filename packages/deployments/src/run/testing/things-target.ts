import { ApiError, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { Store } from "@rad/store";
import { operationInProgress, type ResourcePreview } from "@rad/resources";
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
} from "../../deployment-target.ts";

const thingType = "Radius.Test/things";

/**
 * Keeps things in the store, as the control plane does with resources. Their properties say what happens to them:
 * `refuse` (an error at once), `slow` (goes on after the call), `fail` (an error in the end), `later` (what is read
 * changes each time), `hold` (waits until the test lets it go), `warn` (is stored with a
 * warning).
 */
export class ThingsTarget implements DeploymentTarget {
  readonly store: Store;
  /** Names in the order of the calls. */
  readonly puts: string[] = [];
  readonly finishes: string[] = [];
  readonly reads: string[] = [];
  readonly actions: string[] = [];
  readonly held = new Map<string, PromiseWithResolvers<void>>();
  /** Refuses that many puts of a name with the code `Conflict`. */
  readonly busy = new Map<string, number>();
  /** Names that somebody else is changing. */
  readonly beingChanged = new Set<string>();
  most = 0;
  #underWay = 0;
  #reads = 0;

  constructor(store: Store) {
    this.store = store;
  }

  async checkType({ id, type, apiVersion }: TypeOrder): Promise<void> {
    if (type.toLowerCase().endsWith("/unknowns") || apiVersion === "1999-01-01") {
      throw new ApiError("BadRequest", "There are no unknowns.", id === undefined ? {} : { target: id });
    }
  }

  async put(order: PutOrder): Promise<Sent> {
    return await this.#count(async () => {
      const orderedId = idOf(order);
      const name = nameOf(orderedId);
      this.puts.push(name);
      const current = await this.store.get(orderedId);
      const properties = wantedProperties(order, current?.body);
      const { shown, secrets } = sealed(properties, order.secrets);
      order.requester.hide(Object.values(secrets).filter((value) => typeof value === "string"));
      await this.#hold(properties, name, order.signal);
      const busy = this.busy.get(name) ?? 0;
      if (busy > 0) {
        this.busy.set(name, busy - 1);
        throw new ApiError("Conflict", `${name} is busy.`);
      }
      if (this.beingChanged.has(name)) {
        const additionalInfo = [operationInProgress("another")];
        throw new ApiError("Conflict", `${name} is being changed.`, { additionalInfo });
      }
      if (typeof properties["refuse"] === "string") {
        throw new ApiError("BadRequest", properties["refuse"], { details: [{ code: "Inner", message: "why" }] });
      }
      if (current !== undefined && order.onlyIfAbsent) {
        await this.store.write({
          lease: order.lease,
          also: [order.record({ change: "none", tracking: undefined, id: current.id, warnings: [] })],
        });
        return { kind: "done", change: "none", body: current.body };
      }
      const isSlow = properties["slow"] === true;
      const tracking = isSlow ? `operation-of-${name}` : undefined;
      const body = bodyOf(orderedId, shown, isSlow ? "Accepted" : "Succeeded");
      const isEqual = current !== undefined && JSON.stringify(current.body) === JSON.stringify(body);
      const change = current === undefined ? "create" : isEqual ? "none" : "modify";
      const id = current?.id ?? orderedId;
      await this.store.write({
        document: {
          kind: "put",
          input: { id, type: thingType, apiVersion: order.apiVersion ?? "", body, secrets },
          expect: "any",
        },
        also: [order.record({ change, tracking, id, warnings: warningsOf(properties) })],
        lease: order.lease,
      });
      return tracking === undefined ? { kind: "done", change, body } : { kind: "accepted", change, tracking };
    });
  }

  async finish(order: FinishOrder): Promise<JsonObject> {
    return await this.#count(async () => {
      const id = idOf(order);
      const name = nameOf(id);
      this.finishes.push(`${name} ${order.tracking}`);
      const document = await this.store.get(id);
      const properties = document === undefined ? {} : objectMember(document.body, "properties");
      await this.#hold({ hold: properties["holdEnd"] ?? false }, name, order.signal);
      if (typeof properties["fail"] === "string") {
        throw new ApiError("Internal", properties["fail"]);
      }
      const body = bodyOf(id, properties, "Succeeded");
      const input = { id, type: thingType, apiVersion: order.apiVersion ?? "", body, secrets: "keep" } as const;
      await this.store.write({ document: { kind: "put", input, expect: "any" } });
      return body;
    });
  }

  async read(order: ReadOrder): Promise<JsonObject | undefined> {
    const id = idOf(order);
    this.reads.push(nameOf(id));
    this.#reads += 1;
    const body = (await this.store.get(id))?.body;
    const isLater = body !== undefined && "later" in objectMember(body, "properties");
    return isLater ? { ...body, properties: { later: this.#reads } } : body;
  }

  async delete(order: DeleteOrder): Promise<Deleted> {
    const id = idOf(order);
    if ((await this.store.get(id)) !== undefined) {
      await this.store.write({ document: { kind: "remove", id, expect: "any" }, lease: order.lease });
    }
    return { kind: "done" };
  }

  async finishDelete(): Promise<void> {}

  async act(order: ActionOrder): Promise<JsonValue> {
    const name = nameOf(idOf(order));
    this.actions.push(`${name} ${order.action}`);
    return { key: `key-of-${name}-${this.actions.length}`, args: [...order.args] };
  }

  async preview(order: PreviewOrder): Promise<ResourcePreview> {
    const id = idOf(order);
    const current = await this.store.get(id);
    const { shown, secrets } = sealed(wantedProperties(order, current?.body), order.secrets);
    const stored = current === undefined ? {} : await this.store.secrets(id);
    const { provisioningState: _, ...former } = objectMember(current?.body ?? {}, "properties");
    return {
      before: current && { properties: former },
      after: { properties: shown },
      changedSecrets: Object.keys(secrets)
        .filter((pointer) => stored[pointer] !== secrets[pointer])
        .map((pointer) => ({ pointer, change: pointer in stored ? "modify" : "create" })),
      warnings: warningsOf(shown),
    };
  }

  /** Lets go of what is held, now or later. */
  release(name: string): void {
    this.#gate(name).resolve();
  }

  async #hold(properties: JsonObject, name: string, signal: AbortSignal): Promise<void> {
    if (properties["hold"] === true) {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      await Promise.race([this.#gate(name).promise, aborted]);
    }
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.held.get(name) ?? Promise.withResolvers<void>();
    this.held.set(name, gate);
    return gate;
  }

  async #count<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }
}

function idOf({ id = "" }: TypeOrder): string {
  return id;
}

/** A PATCH leaves alone what it does not mention. */
function wantedProperties({ method, body }: ContentOrder, current: JsonObject = {}): JsonObject {
  const { provisioningState: _, ...former } = objectMember(current, "properties");
  const sent = objectMember(body, "properties");
  return method === "PATCH" ? { ...former, ...sent } : sent;
}

function sealed(properties: JsonObject, pointers: readonly string[]): { shown: JsonObject; secrets: JsonObject } {
  const secrets: JsonObject = {};
  const shown = pointers.reduce<JsonObject>((rest, pointer) => seal(rest, pointer, secrets), { properties });
  return { shown: objectMember(shown, "properties"), secrets };
}

/** The value without what is at the pointer, which goes to `secrets`. */
function seal(value: JsonObject, pointer: string, secrets: JsonObject): JsonObject {
  const sealed = structuredClone(value);
  const names = pointer.split("/").slice(1);
  const last = names.pop() ?? "";
  const around = names.reduce<JsonValue>((inner, name) => (inner as JsonObject)[name] ?? null, sealed) as JsonObject;
  secrets[pointer] = around[last] ?? null;
  around[last] = null;
  return sealed;
}

function warningsOf({ warn }: JsonObject): string[] {
  return typeof warn === "string" ? [warn] : [];
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function bodyOf(id: string, properties: JsonObject, provisioningState: string): JsonObject {
  return { id, name: nameOf(id), type: thingType, properties: { ...properties, provisioningState } };
}
