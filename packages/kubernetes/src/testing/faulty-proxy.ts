import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Duplex, Readable } from "node:stream";
import { connect } from "node:tls";
import type { TestCluster } from "./test-cluster.ts";

/** Which requests meet a fault. */
interface Occasion {
  /** How many requests; 1 when absent. */
  readonly count?: number;
  /** Compared with `PATCH /apis/apps/v1/…?query`; all requests when absent. */
  readonly matching?: RegExp;
}

export interface Answer extends Occasion {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the Status object; by default what an API server says with this status. */
  readonly message?: string;
}

export interface Cut extends Occasion {
  /** `before` the API server has heard of the request, or `after` it has answered and before the client hears that. */
  readonly when: "before" | "after";
}

type Fault = ({ readonly kind: "answer" } & Answer) | ({ readonly kind: "cut" } & Cut);

const reasons: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  409: "Conflict",
  410: "Expired",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Opens a proxy in front of the API server that works faultlessly until told otherwise. */
export async function faultyProxy(cluster: TestCluster): Promise<FaultyProxy> {
  const { serverCertFile, serverKeyFile, caFile } = cluster.description;
  const [cert, key, ca] = await Promise.all([serverCertFile, serverKeyFile, caFile].map((file) => readFile(file)));
  const server = https.createServer({ cert, key });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = await mkdtemp(path.join(tmpdir(), "rad-proxy-"));
  const proxy = new FaultyProxy({ server, target: new URL(cluster.url), ca, folder });
  await proxy.kubeConfigFor(cluster.kubeConfig);
  return proxy;
}

interface Parts {
  readonly server: https.Server;
  readonly target: URL;
  readonly ca: Buffer | undefined;
  readonly folder: string;
}

export class FaultyProxy implements AsyncDisposable {
  readonly url: string;
  /** Path of a kube config of the administrator that leads through the proxy. */
  readonly kubeConfig: string;
  /** What clients have asked for: `GET /api/v1/namespaces`. */
  readonly requests: string[] = [];
  readonly #parts: Parts;
  readonly #agent: https.Agent;
  readonly #sockets = new Set<Duplex>();
  readonly #streams = new Set<Readable>();
  #faults: { fault: Fault; left: number }[] = [];
  #stalled: PromiseWithResolvers<void> | undefined;
  #kubeConfigs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#agent = new https.Agent({ keepAlive: true, ca: parts.ca });
    this.url = `https://127.0.0.1:${(parts.server.address() as AddressInfo).port}`;
    this.kubeConfig = path.join(parts.folder, "kubeconfig-1");
    parts.server.on("secureConnection", (socket) => this.#keep(socket));
    parts.server.on("request", (request, response) => void this.#onRequest(request, response));
    parts.server.on("upgrade", (request, socket, head) => void this.#onUpgrade(request, socket, head));
  }

  /** The same kube config, through the proxy. @returns its path */
  async kubeConfigFor(file: string): Promise<string> {
    this.#kubeConfigs += 1;
    const copy = path.join(this.#parts.folder, `kubeconfig-${this.#kubeConfigs}`);
    const text = (await readFile(file, "utf8")).replaceAll(this.#parts.target.origin, this.url);
    await writeFile(copy, text, { mode: 0o600 });
    return copy;
  }

  /** Ends every connection at once, watches and forwarded ports included. New ones work. */
  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  /** Ends the connection of the next requests. */
  cutNext(cut: Cut): void {
    this.#faults.push({ fault: { kind: "cut", ...cut }, left: cut.count ?? 1 });
  }

  /** Answers the next requests in the API server's stead, with a Status object. */
  answer(answer: Answer): void {
    this.#faults.push({ fault: { kind: "answer", ...answer }, left: answer.count ?? 1 });
  }

  /** Lets nothing through any more, in either direction, and closes nothing. */
  stall(): void {
    this.#stalled ??= Promise.withResolvers();
    for (const stream of this.#streams) {
      stream.pause();
    }
  }

  /** Ends a stall: what has come in the meantime goes on its way. */
  resume(): void {
    this.#stalled?.resolve();
    this.#stalled = undefined;
    for (const stream of this.#streams) {
      stream.resume();
    }
  }

  /** Works faultlessly again. */
  heal(): void {
    this.#faults = [];
    this.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.heal();
    this.#parts.server.close();
    this.cut();
    this.#agent.destroy();
    await rm(this.#parts.folder, { recursive: true, force: true });
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#faultOf(request);
    await this.#stalled?.promise;
    if (fault?.kind === "answer") {
      request.resume();
      sendStatus(response, fault);
      return;
    }
    if (fault?.when === "before") {
      request.socket.destroy();
      return;
    }
    const { method, url, headers } = request;
    const hangUp = (): void => void request.socket.destroy();
    const forwarded = https.request(new URL(url ?? "/", this.#parts.target), { method, headers, agent: this.#agent });
    forwarded.on("error", hangUp);
    response.on("close", () => forwarded.destroy());
    forwarded.on("response", (answer) => {
      if (fault !== undefined) {
        answer.resume();
        answer.on("end", hangUp);
        return;
      }
      answer.on("error", hangUp);
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      response.flushHeaders();
      this.#pass(answer, response);
    });
    this.#pass(request, forwarded);
  }

  async #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const fault = this.#faultOf(request);
    await this.#stalled?.promise;
    if (fault?.kind === "answer") {
      const body = statusText(fault);
      socket.end(
        `HTTP/1.1 ${fault.status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    if (fault !== undefined) {
      socket.destroy();
      return;
    }
    const { target, ca } = this.#parts;
    const server = connect({ host: target.hostname, port: Number(target.port), ca });
    this.#keep(server);
    server.on("close", () => socket.destroy());
    socket.on("close", () => server.destroy());
    socket.on("error", () => server.destroy());
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
    }
    server.write(`${lines.join("\r\n")}\r\n\r\n`);
    server.write(head);
    this.#pass(server, socket);
    this.#pass(socket, server);
  }

  /** Copies by hand, because a pipe may resume a stream that a stall has paused. */
  #pass(from: Readable, to: NodeJS.WritableStream): void {
    this.#streams.add(from);
    from.on("data", (chunk: Buffer) => to.write(chunk));
    from.on("end", () => to.end());
    from.on("close", () => this.#streams.delete(from));
    if (this.#stalled !== undefined) {
      from.pause();
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}); // its end is what counts
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #faultOf({ method, url }: IncomingMessage): Fault | undefined {
    const line = `${method} ${url}`;
    this.requests.push(line);
    const found = this.#faults.find(({ fault }) => fault.matching?.test(line) ?? true);
    if (found === undefined) {
      return undefined;
    }
    found.left -= 1;
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return found.fault;
  }
}

function sendStatus(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
  response.end(statusText(answer));
}

function statusText({ status, message }: Answer): string {
  const reason = reasons[status] ?? "Unknown";
  return JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: message ?? `${reason} by the faulty proxy`,
    reason,
    code: status,
  });
}
