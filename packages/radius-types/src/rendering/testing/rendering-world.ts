import { isJsonObject, jsonPointer, objectMember, ResourceId, silentLogger, systemClock } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { ObjectTarget } from "@rad/kubernetes";
import type { HandlerContext, HandlerResult, PreviewContext, ResourceHandler } from "@rad/resources";
import type { StoredDocument } from "@rad/store";
import type { RenderingDeps } from "../rendering-deps.ts";

const scope = "/planes/radius/local/resourceGroups/test/providers";

export const ids = {
  environment: `${scope}/Applications.Core/environments/dev`,
  application: `${scope}/Applications.Core/applications/shop`,
  thing: `${scope}/Test.Rendered/things/web`,
};

interface WorldResource {
  readonly body: JsonObject;
  readonly secrets: Record<string, JsonValue>;
}

/** Resources, a target, and one resource whose handler is called as a worker would call it. */
export class RenderingWorld {
  readonly deps: RenderingDeps;
  readonly resources: Map<string, WorldResource>;
  readonly id: string;
  readonly hidden: string[] = [];
  readonly steps: string[] = [];
  status: JsonObject = {};
  /** Sealed values of the resource. */
  secrets: Record<string, JsonValue> = {};
  /** What the requester gets in place of other resources. */
  refusal: Error | undefined;
  startedAt = new Date();
  /** The resource is deleted by force. */
  isForced = false;
  /** What the handler stored beside the status. */
  savedProperties: JsonObject = {};
  /** Changes of other resources that the handler asked for. */
  readonly changes: { readonly id: string; readonly body?: JsonObject }[] = [];
  /** The operations that carry the next changes out; those without one are done at once. */
  readonly operations: string[] = [];

  constructor(target: ObjectTarget, id = ids.thing, resources = new Map<string, WorldResource>()) {
    this.id = id;
    this.resources = resources;
    this.deps = { target: async () => target, publicEndpoint: async () => undefined, clock: systemClock };
    this.add(ids.environment, { compute: { kind: "kubernetes", namespace: "dev" } });
    this.add(ids.application, { environment: ids.environment });
  }

  add(id: string, properties: JsonObject, secrets: Record<string, JsonValue> = {}): void {
    this.resources.set(id.toLowerCase(), { body: { id, properties }, secrets });
  }

  /** The same world, seen from another resource of the type. */
  async neighbour(name: string): Promise<RenderingWorld> {
    return new RenderingWorld(await this.deps.target(), `${scope}/Test.Rendered/things/${name}`, this.resources);
  }

  /** Whether the handler is not even called. */
  async isIdle(handler: ResourceHandler, kind: "put" | "delete", properties: JsonObject): Promise<boolean> {
    return (await handler.isIdle?.(kind, this.#context(properties))) === true;
  }

  /** One attempt; what a worker would store is stored. */
  async put(handler: ResourceHandler, properties: JsonObject): Promise<HandlerResult> {
    const result = await handler.put?.(this.#context({ application: ids.application, ...properties }));
    if (result?.kind === "done") {
      this.status = objectMember(result.properties, "status");
      this.secrets = { ...result.secrets };
      this.#store("Succeeded");
    }
    return result;
  }

  async delete(handler: ResourceHandler): Promise<HandlerResult> {
    try {
      const result = await handler.delete?.(this.#context({ application: ids.application }));
      this.resources.delete(this.id.toLowerCase());
      return result;
    } catch (error) {
      this.#store("Failed");
      throw error;
    }
  }

  /** What the others see of the resource. */
  #store(provisioningState: string): void {
    this.add(this.id, { status: this.status, provisioningState });
  }

  async preview(handler: ResourceHandler, properties: JsonObject, expected: readonly string[] = []) {
    const isExpected = (id: string): boolean => expected.includes(id);
    const context: PreviewContext = {
      ...this.#context({ application: ids.application, ...properties }),
      isExpected,
      change: "modify",
      unknown: [],
    };
    return await handler.preview?.(context);
  }

  /** Local ids in the order of the record, those that are not managed in brackets. */
  recorded(): string[] {
    const { outputResources } = this.status;
    return (Array.isArray(outputResources) ? outputResources : []).filter(isJsonObject).map((output) => {
      const { localId, id, radiusManaged } = output;
      const name = textOf(localId) || textOf(id);
      return radiusManaged === true ? name : `(${name})`;
    });
  }

  #context(properties: JsonObject): HandlerContext {
    const reader = {
      get: async (id: string) => this.#document(id),
      list: async ({ type = "" }: { readonly type?: string }) => ({
        items: [...this.resources.keys()].flatMap((id) =>
          id.includes(`/${type.toLowerCase()}/`) ? (this.#document(id) ?? []) : [],
        ),
      }),
      secrets: async (id: string) => this.resources.get(id.toLowerCase())?.secrets ?? {},
    };
    const change = async (asked: { readonly id: string; readonly body?: JsonObject }): Promise<string | undefined> => {
      this.changes.push(asked);
      return this.operations.shift();
    };
    const refuse = (): Promise<never> => Promise.reject(this.refusal);
    const notHere = (): Promise<never> => Promise.reject(new Error("not in these tests"));
    return {
      id: ResourceId.parse(this.id),
      apiVersion: "2025-01-01",
      properties,
      status: this.status,
      secrets: async () => this.secrets,
      requester: {
        caller: { kind: "token", subject: "token:test", groups: [] },
        correlationId: "test",
        traceparent: undefined,
        hide: (values) => void this.hidden.push(...values),
      },
      resources: {
        asRequester: this.refusal === undefined ? reader : { ...reader, get: refuse },
        asServer: reader,
        put: change,
        delete: change,
      },
      deployments: { run: notHere },
      signal: new AbortController().signal,
      log: silentLogger,
      isForced: this.isForced,
      startedAt: this.startedAt,
      withoutSlot: (work) => work(),
      step: async (name, work) => {
        this.steps.push(name);
        return await work({ detail: () => {}, share: () => {}, step: notHere });
      },
      save: async (status, secrets = {}, saved = {}) => {
        this.status = status;
        this.savedProperties = saved;
        this.#store("Updating");
        for (const [pointer, value] of Object.entries(secrets)) {
          this.secrets[jsonPointer.of(["properties", "status"]) + pointer] = value;
        }
      },
      write: notHere,
    };
  }

  #document(id: string): StoredDocument | undefined {
    const stored = this.resources.get(id.toLowerCase());
    if (stored === undefined) {
      return undefined;
    }
    const { body } = stored;
    const text = { id: textOf(body["id"]), type: "", apiVersion: "", etag: "", operationId: undefined };
    return { ...text, json: JSON.stringify(body), body, parsed: () => body };
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
