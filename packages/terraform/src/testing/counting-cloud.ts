import type { IncomingMessage, ServerResponse } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { startWebServer } from "@rad/artifacts/testing";

export type CloudAction = "configure" | "create" | "read" | "update" | "delete";

/** A request of a provider: what it is about, and which processes are behind it. */
export interface CloudRequest {
  readonly action: CloudAction;
  /** Of the resource: `aws_s3_bucket`. */
  readonly type: string;
  readonly id: string;
  /** Of the resource; with `configure`, of the provider's configuration. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Only with `configure`: `NAME=value`. */
  readonly environment: readonly string[];
  readonly providerPid: number;
  readonly terraformPid: number;
}

export interface CloudObject {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What the cloud does with a request, before or after the request has had its effect. */
export type CloudFault =
  /** Answers 500, or the given status. */
  | { readonly kind: "fail"; readonly when: "before" | "after"; readonly status?: number; readonly message?: string }
  /** Answers when the fault is disposed. */
  | { readonly kind: "stall"; readonly when: "before" | "after" }
  /** The provider dies. */
  | { readonly kind: "crash"; readonly when: "before" | "after" }
  /** Does what the test says, such as killing a process, and answers then, with attributes of the resource if it returns any. */
  | {
      readonly kind: "call";
      readonly when: "before" | "after";
      readonly call: (request: CloudRequest) => Attributes | void | Promise<Attributes | void>;
    };

type Attributes = Readonly<Record<string, unknown>>;

export interface ActiveCloudFault extends Disposable {
  /** How many requests have met it. */
  readonly met: number;
  /** Resolves with the first request that meets it. */
  readonly first: Promise<CloudRequest>;
}

/**
 * The cloud behind test providers: it keeps what they create, refuses names that exist, counts and, when asked to, stalls,
 * fails and kills.
 */
export interface CountingCloud extends AsyncDisposable {
  /** For `testProvider({ cloud })`. */
  readonly url: string;
  /** All requests, in order of arrival. */
  readonly requests: readonly CloudRequest[];
  /** What exists. */
  objects(): readonly CloudObject[];
  /** Requests that had an effect; refused ones are not counted. */
  count(action: "create" | "update" | "delete", id?: RegExp): number;
  /** Removes an object as somebody else would. */
  remove(id: string): void;
  /** Creates an object as somebody else would. */
  put(object: CloudObject): void;
  /** @param requests what `ACTION TYPE ID` of a request matches */
  fault(requests: RegExp, fault: CloudFault, options?: { readonly times?: number }): ActiveCloudFault;
}

export interface CountingCloudOptions {
  /** Sees every request when it arrives, before faults meet it. */
  readonly onRequest?: (request: CloudRequest) => void;
}

export async function startCountingCloud(options: CountingCloudOptions = {}): Promise<CountingCloud> {
  const objects = new Map<string, CloudObject>();
  const requests: CloudRequest[] = [];
  const effects: CloudRequest[] = [];
  const faults = new Set<ArmedCloudFault>();

  async function meet(request: CloudRequest, when: "before" | "after"): Promise<Reply | undefined> {
    const line = `${request.action} ${request.type} ${request.id}`;
    const armed = [...faults].find((fault) => fault.fault.when === when && fault.meets(line));
    return await armed?.meet(request);
  }

  async function answer(request: CloudRequest): Promise<Reply> {
    requests.push(request);
    options.onRequest?.(request);
    const instead = await meet(request, "before");
    if (instead !== undefined) {
      return instead;
    }
    const reply = effect(objects, request);
    if (reply.status < 300) {
      effects.push(request);
    }
    const changed = await meet(request, "after");
    if (changed?.attributes !== undefined) {
      objects.set(request.id, { type: request.type, id: request.id, attributes: changed.attributes });
    }
    return changed ?? reply;
  }

  const server = await startWebServer((incoming, response) => {
    respond(incoming, response, answer).catch((error: Error) => response.destroy(error));
  });
  return {
    url: server.url,
    requests,
    objects: () => [...objects.values()],
    count: (action, id = /(?:)/u) => effects.filter((done) => done.action === action && id.test(done.id)).length,
    remove: (id) => void objects.delete(id),
    put: (object) => void objects.set(object.id, object),
    fault: (pattern, fault, { times = Infinity } = {}) => {
      const armed = new ArmedCloudFault(pattern, fault, times, (ended) => faults.delete(ended));
      faults.add(armed);
      return armed;
    },
    [Symbol.asyncDispose]: async () => {
      for (const armed of faults) {
        armed[Symbol.dispose]();
      }
      await server[Symbol.asyncDispose]();
    },
  };
}

interface Reply {
  readonly status: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly crash?: boolean;
}

async function respond(
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: (request: CloudRequest) => Promise<Reply>,
): Promise<void> {
  const read = (await readJson(incoming)) as Partial<CloudRequest> & Pick<CloudRequest, "action">;
  const request = { type: "", id: "", attributes: {}, environment: [], providerPid: 0, terraformPid: 0, ...read };
  const { status, ...content } = await answer(request);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}

/** One cloud has one name space: an id that exists cannot be created again, whoever asks. */
function effect(objects: Map<string, CloudObject>, { action, type, id, attributes }: CloudRequest): Reply {
  const found = objects.get(id);
  switch (action) {
    case "configure":
      return { status: 200 };
    case "create":
      if (found !== undefined) {
        return { status: 409, message: `${type} ${id} already exists` };
      }
      objects.set(id, { type, id, attributes });
      return { status: 201 };
    case "read":
      return found === undefined
        ? { status: 404, message: `${type} ${id} was not found` }
        : { status: 200, attributes: found.attributes };
    case "update":
      if (found === undefined) {
        return { status: 404, message: `${type} ${id} was not found` };
      }
      objects.set(id, { type, id, attributes });
      return { status: 200 };
    case "delete":
      return objects.delete(id) ? { status: 200 } : { status: 404, message: `${type} ${id} was not found` };
    default:
      return action satisfies never;
  }
}

class ArmedCloudFault implements ActiveCloudFault {
  readonly fault: CloudFault;
  met = 0;
  readonly #first = Promise.withResolvers<CloudRequest>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #pattern: RegExp;
  readonly #times: number;
  readonly #onEnd: (fault: ArmedCloudFault) => void;

  constructor(pattern: RegExp, fault: CloudFault, times: number, onEnd: (fault: ArmedCloudFault) => void) {
    this.#pattern = pattern;
    this.fault = fault;
    this.#times = times;
    this.#onEnd = onEnd;
  }

  get first(): Promise<CloudRequest> {
    return this.#first.promise;
  }

  meets(line: string): boolean {
    return this.met < this.#times && this.#pattern.test(line);
  }

  /** @returns the answer that the fault makes, if it makes one */
  async meet(request: CloudRequest): Promise<Reply | undefined> {
    this.met += 1;
    this.#first.resolve(request);
    const { fault } = this;
    switch (fault.kind) {
      case "fail":
        return { status: fault.status ?? 500, message: fault.message ?? "the cloud has a bad day" };
      case "crash":
        return { status: 500, crash: true };
      case "stall":
        await this.#ended.promise;
        return undefined;
      case "call": {
        const attributes = await fault.call(request);
        return attributes === undefined ? undefined : { status: 200, attributes };
      }
      default:
        return fault satisfies never;
    }
  }

  [Symbol.dispose](): void {
    this.#ended.resolve();
    this.#onEnd(this);
  }
}
