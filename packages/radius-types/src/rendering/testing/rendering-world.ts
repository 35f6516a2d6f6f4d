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

/** Resources, a target, and one resource whose handler is called as a worker would call it. */
export class RenderingWorld {
  readonly deps: RenderingDeps;
  readonly resources = new Map<string, { body: JsonObject; secrets: Record<string, JsonValue> }>();
  readonly hidden: string[] = [];
  readonly steps: string[] = [];
  status: JsonObject = {};
  /** Sealed values of the resource. */
  secrets: Record<string, JsonValue> = {};
  startedAt = new Date();

  constructor(target: ObjectTarget) {
    this.deps = { target: async () => target, publicEndpoint: async () => undefined, clock: systemClock };
    this.add(ids.environment, { compute: { kind: "kubernetes", namespace: "dev" } });
    this.add(ids.application, { environment: ids.environment });
  }

  add(id: string, properties: JsonObject, secrets: Record<string, JsonValue> = {}): void {
    this.resources.set(id.toLowerCase(), { body: { id, properties }, secrets });
  }

  /** One attempt; what a worker would store is stored. */
  async put(handler: ResourceHandler, properties: JsonObject): Promise<HandlerResult> {
    const result = await handler.put?.(this.#context({ application: ids.application, ...properties }));
    if (result?.kind === "done") {
      this.status = objectMember(result.properties, "status");
      this.secrets = { ...result.secrets };
    }
    return result;
  }

  async delete(handler: ResourceHandler): Promise<HandlerResult> {
    return await handler.delete?.(this.#context({}));
  }

  async preview(handler: ResourceHandler, properties: JsonObject, expected: readonly string[] = []) {
    const isExpected = (id: string): boolean => expected.includes(id);
    const context: PreviewContext = {
      ...this.#context({ application: ids.application, ...properties }),
      isExpected,
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
      list: async () => ({ items: [] }),
      secrets: async (id: string) => this.resources.get(id.toLowerCase())?.secrets ?? {},
    };
    const notHere = (): Promise<never> => Promise.reject(new Error("not in these tests"));
    return {
      id: ResourceId.parse(ids.thing),
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
      resources: { asRequester: reader, asServer: reader, put: notHere, delete: notHere },
      deployments: { run: notHere },
      signal: new AbortController().signal,
      log: silentLogger,
      startedAt: this.startedAt,
      withoutSlot: (work) => work(),
      step: async (name, work) => {
        this.steps.push(name);
        return await work({ detail: () => {}, share: () => {}, step: notHere });
      },
      save: async (status, secrets = {}) => {
        this.status = status;
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
