import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { type Box, type BoxOperation, BoxStore, type PutRequest, Refused } from "./box-store.ts";

export type Endpoint = "put" | "poll" | "read" | "delete" | "act";

/**
 * What goes wrong with a request:
 * - `cutBefore`, `cutAfter`: the connection breaks before anything is done, or before the answer.
 * - `garbled`: the answer makes no sense. `late`: it takes its time. `twice`: the request arrives twice.
 * - `away`: 503, nothing is done.
 * - `forgetKeys`, `forgetTracking`: what was known of earlier requests is gone when it arrives.
 */
export type Fault = "cutBefore" | "cutAfter" | "garbled" | "late" | "twice" | "away" | "forgetKeys" | "forgetTracking";

export interface PlannedFault {
  readonly endpoint: Endpoint;
  readonly fault: Fault;
  /** So many requests pass before. */
  readonly after?: number;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

const longestPollMs = 200;
const lateMs = 100;

/**
 * A service outside of our store, over HTTP: it chooses ids, keeps idempotency keys, works asynchronously where
 * `workMs` says so, takes its time to answer (`answerMs`), finds boxes by title or label, and breaks where it is told to.
 */
export class BoxProvider implements AsyncDisposable {
  readonly #store = new BoxStore();
  readonly #replies = new Map<string, Reply>();
  readonly #server: Server;
  #faults: PlannedFault[] = [];
  readonly #requests: Record<Endpoint, number> = { put: 0, poll: 0, read: 0, delete: 0, act: 0 };

  static async start(): Promise<BoxProvider> {
    const provider = new BoxProvider();
    provider.#server.listen(0, "127.0.0.1");
    await once(provider.#server, "listening");
    return provider;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://provider");
    const body = await bodyOf(request);
    const endpoint = endpointOf(request.method ?? "", url);
    const fault = endpoint === undefined ? undefined : this.#takeFault(endpoint);
    if (endpoint !== undefined) {
      this.#requests[endpoint] += 1;
    }
    const handle = (): Promise<Reply> | Reply => this.#handle(request.method ?? "", url, body);
    if (fault === "cutBefore") {
      response.destroy();
      return;
    }
    if (fault === "away") {
      send(response, { status: 503, body: { error: { code: "Away", message: "Come back later." } } });
      return;
    }
    if (fault === "forgetKeys") {
      this.#replies.clear();
    } else if (fault === "forgetTracking") {
      this.#store.operations.clear();
    }
    const reply = await handle();
    const { answerMs } = (body["properties"] ?? {}) as JsonObject;
    if (typeof answerMs === "number") {
      await sleep(answerMs);
    }
    if (fault === "twice") {
      await handle();
    } else if (fault === "late") {
      await sleep(lateMs);
    }
    if (fault === "cutAfter") {
      response.destroy();
    } else if (fault === "garbled") {
      response.writeHead(reply.status, { "content-type": "text/html" }).end("<html>");
    } else {
      send(response, reply);
    }
  }

  #takeFault(endpoint: Endpoint): Fault | undefined {
    const index = this.#faults.findIndex((fault) => fault.endpoint === endpoint);
    const { fault, after = 0 } = this.#faults[index] ?? {};
    if (fault === undefined || after === 0) {
      this.#faults.splice(index, fault === undefined ? 0 : 1);
      return fault;
    }
    this.#faults[index] = { endpoint, fault, after: after - 1 };
    return undefined;
  }

  #handle(method: string, url: URL, body: JsonObject): Promise<Reply> | Reply {
    const [, collection = "", id, action] = url.pathname.split("/");
    const key = url.searchParams.get("key");
    switch (`${method} ${collection}`) {
      case "POST faults":
        this.#faults = body["faults"] as unknown as PlannedFault[];
        return { status: 200, body: {} };
      case "GET ledger":
        return { status: 200, body: this.#ledger() };
      case "GET operations":
        return this.#poll(this.#store.operations.get(id ?? ""));
      case "POST preview":
        return { status: 200, body: this.#preview(body as unknown as PutRequest) };
      case "GET boxes":
        return id === undefined ? this.#search(url.searchParams) : found(this.#store.boxes.get(id));
      case "POST boxes":
        return action === undefined
          ? this.#put(body as unknown as PutRequest)
          : this.#once(key, () => this.#act(this.#store.boxes.get(id ?? "")));
      case "DELETE boxes":
        return this.#once(key, () => this.#remove(this.#store.boxes.get(id ?? "")));
      default:
        return notFound;
    }
  }

  #put(request: PutRequest): Reply {
    return this.#once(request.key, () => {
      try {
        const box = this.#store.put(request);
        const isLate = box.properties["lateId"] === true;
        const id = isLate ? {} : { id: box.id };
        return box.operation === undefined
          ? { status: 200, body: { change: box.change, box: shown(box) } }
          : { status: 202, body: { change: box.change, operation: box.operation, ...id } };
      } catch (error) {
        if (error instanceof Refused) {
          return { status: 400, body: { error: { code: "Refused", message: error.message } } };
        }
        throw error;
      }
    });
  }

  async #poll(operation: BoxOperation | undefined): Promise<Reply> {
    if (operation === undefined) {
      return notFound;
    }
    await Promise.race([operation.ended, sleep(longestPollMs)]);
    const box = this.#store.boxes.get(operation.box);
    const { state, error } = operation;
    return { status: 200, body: { state, ...(error && { error }), ...(box && { box: shown(box) }) } };
  }

  #search(query: URLSearchParams): Reply {
    const [title, label] = [query.get("title"), query.get("label")];
    const isWanted = (box: Box): boolean => (label === null ? box.properties["title"] === title : box.label === label);
    return found(this.#store.boxes.values().find(isWanted));
  }

  #preview(request: PutRequest): object {
    const current = this.#store.find(request);
    const { token, ...sent } = request.properties;
    return {
      ...(current && { before: current.properties }),
      after: request.method === "PATCH" ? { ...current?.properties, ...sent } : sent,
      token: current?.token === token ? "same" : current?.token === undefined ? "create" : "modify",
    };
  }

  #remove(box: Box | undefined): Reply {
    const operation = box && this.#store.remove(box);
    return operation === undefined ? { status: 200, body: {} } : { status: 202, body: { operation: operation.id } };
  }

  #act(box: Box | undefined): Reply {
    if (box === undefined) {
      return notFound;
    }
    this.#store.actions += 1;
    return { status: 200, body: { combination: `${box.id}-${this.#store.actions}` } };
  }

  /** A request that comes again under the same key is answered as before, refusals included. */
  #once(key: string | null, work: () => Reply): Reply {
    const known = key === null ? undefined : this.#replies.get(key);
    const reply = known ?? work();
    if (key !== null) {
      this.#replies.set(key, reply);
    }
    return reply;
  }

  #ledger(): object {
    const { boxes, creations, actions } = this.#store;
    return {
      boxes: [...boxes.values()].map(({ token: _token, ...box }) => box),
      creations,
      actions,
      requests: this.#requests,
    };
  }
}

const notFound: Reply = { status: 404, body: { error: { code: "NotFound", message: "There is no such thing." } } };

function found(box: Box | undefined): Reply {
  return box === undefined
    ? notFound
    : { status: 200, body: { ...shown(box), state: box.state, operation: box.operation } };
}

function shown({ id, properties, change }: Box): object {
  return { id, properties, change };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const text = (await request.toArray()).join("");
  return text === "" ? {} : (JSON.parse(text) as JsonObject);
}

function endpointOf(method: string, url: URL): Endpoint | undefined {
  const [, collection, id, action] = url.pathname.split("/");
  switch (`${method} ${collection}`) {
    case "GET operations":
      return "poll";
    case "GET boxes":
      return "read";
    case "DELETE boxes":
      return "delete";
    case "POST boxes":
      return id === undefined ? "put" : action === undefined ? undefined : "act";
    default:
      return undefined;
  }
}
