import { ApiError, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { Store } from "@rad/store";
import { operationInProgress, type ResourcePreview } from "@rad/resources";
import type { ActionOrder, DeploymentTarget, PutOrder, ResourceOrder, Sent } from "../../deployment-target.ts";

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

  async checkType(id: string): Promise<void> {
    if (id.toLowerCase().includes("/unknowns/")) {
      throw new ApiError("BadRequest", "There are no unknowns.", { target: id });
    }
  }

  async put(order: PutOrder): Promise<Sent> {
    return await this.#count(async () => {
      const name = nameOf(order.id);
      this.puts.push(name);
      const properties = objectMember(order.body, "properties");
      await this.#hold(properties, name);
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
      const current = await this.store.get(order.id);
      if (current !== undefined && order.onlyIfAbsent) {
        await this.store.write({
          lease: order.lease,
          also: [order.record({ change: "none", tracking: undefined, id: current.id, warnings: [] })],
        });
        return { kind: "done", change: "none", body: current.body };
      }
      const isSlow = properties["slow"] === true;
      const tracking = isSlow ? `operation-of-${name}` : undefined;
      const secrets: JsonObject = {};
      const shown = order.secrets.reduce<JsonObject>((rest, pointer) => seal(rest, pointer, secrets), { properties });
      const body = bodyOf(order.id, objectMember(shown, "properties"), isSlow ? "Accepted" : "Succeeded");
      const isEqual = current !== undefined && JSON.stringify(current.body) === JSON.stringify(body);
      const change = current === undefined ? "create" : isEqual ? "none" : "modify";
      const id = current?.id ?? order.id;
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

  async finish(order: ResourceOrder & { readonly tracking: string }): Promise<JsonObject> {
    return await this.#count(async () => {
      const name = nameOf(order.id);
      this.finishes.push(`${name} ${order.tracking}`);
      const document = await this.store.get(order.id);
      const properties = document === undefined ? {} : objectMember(document.body, "properties");
      await this.#hold({ hold: properties["holdEnd"] ?? false }, name);
      if (typeof properties["fail"] === "string") {
        throw new ApiError("Internal", properties["fail"]);
      }
      const body = bodyOf(order.id, properties, "Succeeded");
      const input = {
        id: order.id,
        type: thingType,
        apiVersion: order.apiVersion ?? "",
        body,
        secrets: "keep",
      } as const;
      await this.store.write({ document: { kind: "put", input, expect: "any" } });
      return body;
    });
  }

  async read(order: ResourceOrder): Promise<JsonObject | undefined> {
    this.reads.push(nameOf(order.id));
    this.#reads += 1;
    const body = (await this.store.get(order.id))?.body;
    const isLater = body !== undefined && "later" in objectMember(body, "properties");
    return isLater ? { ...body, properties: { later: this.#reads } } : body;
  }

  async act({ id, action, args }: ActionOrder): Promise<JsonValue> {
    this.actions.push(`${nameOf(id)} ${action}`);
    return { key: `key-of-${nameOf(id)}-${this.actions.length}`, args: [...args] };
  }

  async preview(): Promise<ResourcePreview> {
    throw new Error("Nothing is previewed here.");
  }

  /** Lets go of what is held, now or later. */
  release(name: string): void {
    this.#gate(name).resolve();
  }

  async #hold(properties: JsonObject, name: string): Promise<void> {
    if (properties["hold"] === true) {
      await this.#gate(name).promise;
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
