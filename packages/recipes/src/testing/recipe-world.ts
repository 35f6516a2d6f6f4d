import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, type JsonObject, type JsonValue, objectMember, ResourceId, silentLogger } from "@rad/core";
import type { HandlerContext } from "@rad/resources";
import { openSqliteStore, type Store } from "@rad/store";

const scope = "/planes/radius/local/resourceGroups/test/providers";

export const ids = {
  environment: `${scope}/Applications.Core/environments/dev`,
  application: `${scope}/Applications.Core/applications/shop`,
  resource: `${scope}/Test.Recipes/things/db`,
};

/** A store with an environment, an application and one resource, whose operations a test carries out itself. */
export class RecipeWorld implements AsyncDisposable {
  readonly store: Store;
  readonly #folder: string;
  readonly hidden: string[] = [];
  readonly steps: string[] = [];

  private constructor(store: Store, folder: string) {
    this.store = store;
    this.#folder = folder;
  }

  static async open(): Promise<RecipeWorld> {
    const folder = await mkdtemp(join(tmpdir(), "rad-recipe-world-"));
    const world = new RecipeWorld(await openSqliteStore({ directory: folder, log: silentLogger }), folder);
    await world.put(ids.environment, { compute: { kind: "kubernetes", namespace: "dev" } });
    await world.put(ids.application, { environment: ids.environment });
    await world.put(ids.resource, {});
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async put(id: string, properties: JsonObject, secrets: Record<string, JsonValue> = {}): Promise<void> {
    const { type } = ResourceId.parse(id);
    const input = { id, type, apiVersion: "2025-01-01", body: { id, properties }, secrets };
    await this.store.write({ document: { kind: "put", input, expect: "any" } });
  }

  async remove(id: string): Promise<void> {
    await this.store.write({ document: { kind: "remove", id, expect: "any" } });
  }

  /** An environment or application as handlers pass it on. */
  async scoped(id: string): Promise<{ readonly id: ResourceId; readonly properties: JsonObject }> {
    const document = await this.store.get(id);
    return { id: ResourceId.parse(id), properties: objectMember((await document?.parsed()) ?? {}, "properties") };
  }

  /** As a worker would give it to a handler. */
  context(signal: AbortSignal = new AbortController().signal): HandlerContext {
    const reader = {
      get: (id: string) => this.store.get(id),
      list: (query: Parameters<Store["list"]>[0]) => this.store.list(query),
      secrets: (id: string) => this.store.secrets(id),
    };
    const notHere = (): Promise<never> => Promise.reject(new ApiError("Internal", "not in these tests"));
    const step: HandlerContext["step"] = async (name, work) => {
      this.steps.push(name);
      return await work({ detail: () => {}, share: () => {}, step });
    };
    return {
      id: ResourceId.parse(ids.resource),
      apiVersion: "2025-01-01",
      properties: {},
      status: {},
      secrets: () => this.store.secrets(ids.resource),
      requester: {
        caller: { kind: "token", subject: "token:test", groups: [] },
        correlationId: "correlation",
        traceparent: undefined,
        hide: (values) => void this.hidden.push(...values),
      },
      resources: { asRequester: reader, asServer: reader, put: notHere, delete: notHere },
      deployments: { run: notHere },
      signal,
      log: silentLogger,
      isForced: false,
      startedAt: new Date(),
      withoutSlot: (work) => work(),
      step,
      save: notHere,
      write: async (change) => {
        await this.store.write(change);
      },
    };
  }
}
