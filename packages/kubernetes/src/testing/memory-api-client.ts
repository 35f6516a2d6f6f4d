import { ApiError, type JsonObject } from "@rad/core";
import type { ApiAnswer, ApiCall, ApiClient, ApiConnection } from "../api/api-client.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";

/** Serves collections from memory, with the faults that a real server has too rarely for a test. */
export class MemoryApiClient implements ApiClient {
  readonly description = "the cluster 'memory'";
  /** `list /path`, `watch /path from 7`, `get /path/name`, `log web since 2026-11-16T18:00:00Z` */
  readonly calls: string[] = [];
  /** Thrown by the next calls, one each. */
  readonly refusals: ApiError[] = [];
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #watches = new Set<OpenWatch>();
  pageSize = Infinity;
  /** What a container has printed, as it arrives. */
  log: (container: string, signal: AbortSignal) => AsyncIterable<Uint8Array> = async function* () {};
  version = 1;

  get openWatches(): number {
    return this.#watches.size;
  }

  put(path: string, object: JsonObject): KubernetesObject {
    this.version += 1;
    const { metadata, ...rest } = object;
    const name = (metadata as JsonObject)["name"] as string;
    const type = this.#objects.has(`${path}/${name}`) ? "MODIFIED" : "ADDED";
    const stored = {
      ...rest,
      metadata: { ...(metadata as JsonObject), resourceVersion: String(this.version) },
    } as unknown as KubernetesObject;
    this.#objects.set(`${path}/${name}`, stored);
    this.send(path, { type, object: stored });
    return stored;
  }

  remove(path: string, name: string): void {
    this.version += 1;
    const object = this.#objects.get(`${path}/${name}`);
    this.#objects.delete(`${path}/${name}`);
    this.send(path, { type: "DELETED", object: object ?? {} });
  }

  send(path: string, event: JsonObject): void {
    for (const watch of this.#watches) {
      if (watch.path === path) {
        watch.lines.push(`${JSON.stringify(event)}\n`);
        watch.wake();
      }
    }
  }

  /** Ends all watches: in the middle of a line with an error, or properly. */
  cut(error?: Error): void {
    for (const watch of this.#watches) {
      watch.end = error === undefined ? "closed" : error;
      watch.wake();
    }
  }

  async request({ path, query = {}, signal }: ApiCall): Promise<JsonObject> {
    signal.throwIfAborted();
    const object = this.#objects.get(path);
    const isCollection = query["limit"] !== undefined;
    this.calls.push(`${isCollection ? "list" : "get"} ${path}`);
    this.#refuse();
    if (!isCollection && object === undefined) {
      throw new ApiError("NotFound", `there is no ${path}`);
    }
    return object ?? this.#page(path, Number(query["continue"] ?? 0));
  }

  async exchange(call: ApiCall): Promise<ApiAnswer> {
    return { status: 200, date: new Date(0), body: await this.request(call) };
  }

  async stream({ path, query = {}, signal }: ApiCall): Promise<AsyncIterable<Uint8Array>> {
    if (path.endsWith("/log")) {
      this.calls.push(`log ${query["container"]} since ${query["sinceTime"] ?? query["sinceSeconds"]}`);
      this.#refuse();
      return this.log(query["container"] ?? "", signal);
    }
    this.calls.push(`watch ${path} from ${query["resourceVersion"]}`);
    this.#refuse();
    const watch: OpenWatch = { path, lines: [], end: undefined, wake: () => undefined };
    this.#watches.add(watch);
    return this.#events(watch, signal);
  }

  async connection(): Promise<ApiConnection> {
    throw new Error("There is no port to forward in memory.");
  }

  [Symbol.dispose](): void {
    this.cut();
  }

  async *#events(watch: OpenWatch, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const abort = (): void => watch.wake();
    signal.addEventListener("abort", abort);
    try {
      for (;;) {
        signal.throwIfAborted();
        const line = watch.lines.shift();
        if (line !== undefined) {
          yield Buffer.from(line);
        } else if (watch.end instanceof Error) {
          yield Buffer.from('{"type":"MODI');
          throw watch.end;
        } else if (watch.end !== undefined) {
          return;
        } else {
          const { promise, resolve } = Promise.withResolvers<void>();
          watch.wake = resolve;
          await promise;
        }
      }
    } finally {
      signal.removeEventListener("abort", abort);
      this.#watches.delete(watch);
    }
  }

  #page(path: string, from: number): JsonObject {
    const items = [...this.#objects]
      .filter(([key]) => key.startsWith(`${path}/`) && !key.slice(path.length + 1).includes("/"))
      .map(([, object]) => object);
    const next = from + this.pageSize < items.length ? String(from + this.pageSize) : undefined;
    return {
      metadata: { resourceVersion: String(this.version), ...(next === undefined ? {} : { continue: next }) },
      items: items.slice(from, from + this.pageSize),
    };
  }

  #refuse(): void {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) {
      throw refusal;
    }
  }
}

interface OpenWatch {
  readonly path: string;
  readonly lines: string[];
  end: "closed" | Error | undefined;
  wake: () => void;
}
