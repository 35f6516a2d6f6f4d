import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { MessageSplitter, transactionStatus, wireMessage } from "./wire-messages.ts";
import type { WireMessage } from "./wire-messages.ts";

const protocolVersion = 196_608;
const authenticationOk = wireMessage("R", Buffer.alloc(4));
const readyForQuery = wireMessage("Z", Buffer.from("I"));
const backendKey = wireMessage("K", Buffer.alloc(8));

/**
 * A pooler in transaction mode, as PgBouncer is one: many clients share few connections to PostgreSQL, and each
 * transaction of a client runs on another one. So a named prepared statement is not there the next time, and what LISTEN
 * asked for arrives nowhere. Parameters of the session that a client starts with are ignored.
 */
export class TransactionPooler implements AsyncDisposable {
  /** Of the database, through the pooler. */
  readonly url: string;
  readonly #server: Server;
  readonly #databaseUrl: URL;
  readonly #size: number;
  readonly #clients = new Set<Socket>();
  readonly #all = new Set<Backend>();
  /** The one that was used longest ago comes first. */
  readonly #idle: Backend[] = [];
  readonly #waiting: ((backend: Backend) => void)[] = [];

  private constructor(server: Server, databaseUrl: string, size: number) {
    this.#server = server;
    this.#databaseUrl = new URL(databaseUrl);
    this.#size = size;
    server.on("connection", (socket) => this.#serve(socket));
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
  }

  static async start(databaseUrl: string, { connections = 3 } = {}): Promise<TransactionPooler> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new TransactionPooler(server, databaseUrl, connections);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of [...this.#clients, ...[...this.#all].map((backend) => backend.socket)]) {
      socket.destroy();
    }
    await closed;
  }

  #serve(client: Socket): void {
    this.#clients.add(client);
    const splitter = new MessageSplitter("client");
    let backend: Backend | undefined;
    let queued: WireMessage[] = [];
    let isBorrowing = false;
    client.setNoDelay(true);
    client.on("error", () => {}); // `close` follows
    client.on("close", () => {
      this.#clients.delete(client);
      backend?.socket.destroy(); // in the middle of a transaction, which nobody else may go on with
    });
    client.on("data", (chunk: Buffer) => {
      for (const message of splitter.push(chunk)) {
        if (message.type === "") {
          greet(client, message);
        } else if (message.type === "X") {
          client.end();
        } else {
          queued.push(message);
        }
      }
      void forward();
    });

    const forward = async (): Promise<void> => {
      if (queued.length === 0 || isBorrowing) {
        return;
      }
      if (backend === undefined) {
        isBorrowing = true;
        backend = await this.#borrow();
        isBorrowing = false;
        backend.lendTo(client, () => {
          const returned = backend;
          backend = undefined;
          this.#giveBack(returned);
          void forward();
        });
      }
      if (client.destroyed) {
        backend.socket.destroy();
        return;
      }
      const messages = queued;
      queued = [];
      backend.send(messages);
    };
  }

  async #borrow(): Promise<Backend> {
    const idle = this.#all.size < this.#size ? undefined : this.#idle.shift();
    if (idle !== undefined) {
      return idle;
    }
    if (this.#all.size >= this.#size) {
      return await new Promise((resolve) => this.#waiting.push(resolve));
    }
    const backend = new Backend(this.#databaseUrl);
    this.#all.add(backend);
    backend.socket.on("close", () => {
      this.#all.delete(backend);
      const index = this.#idle.indexOf(backend);
      if (index >= 0) {
        this.#idle.splice(index, 1);
      }
      const waiting = this.#waiting.shift();
      if (waiting !== undefined) {
        void this.#borrow().then((other) => waiting(other));
      }
    });
    await backend.started;
    return backend;
  }

  #giveBack(backend: Backend | undefined): void {
    if (backend === undefined || backend.socket.destroyed) {
      return;
    }
    this.#idle.push(backend);
    const next = this.#waiting.shift();
    const first = next === undefined ? undefined : this.#idle.shift();
    if (first !== undefined) {
      next?.(first);
    }
  }
}

/** A session of the pooler's own. */
class Backend {
  readonly socket: Socket;
  /** When it can be used, or has failed, which closes the client's connection that it is lent to. */
  readonly started: Promise<void>;
  readonly #url: URL;
  readonly #onStarted: () => void;
  #isReady = false;
  #open = 0;
  #client: Socket | undefined;
  #onIdle: () => void = () => {};

  constructor(url: URL) {
    this.#url = url;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.started = promise;
    this.#onStarted = resolve;
    this.socket = connect({ host: url.hostname, port: Number(url.port) });
    this.socket.setNoDelay(true);
    const splitter = new MessageSplitter("server");
    this.socket.on("connect", () => this.socket.write(startup(url)));
    this.socket.on("error", () => {}); // `close` follows
    this.socket.on("close", () => {
      this.#client?.destroySoon();
      resolve();
    });
    this.socket.on("data", (chunk: Buffer) => this.#receive(splitter.push(chunk)));
  }

  lendTo(client: Socket, onIdle: () => void): void {
    this.#client = client;
    this.#onIdle = onIdle;
    if (this.socket.destroyed) {
      client.destroy();
    }
  }

  send(messages: readonly WireMessage[]): void {
    this.#open += messages.filter(({ type }) => type === "Q" || type === "S").length;
    this.socket.write(Buffer.concat(messages.map(({ bytes }) => bytes)));
  }

  #receive(messages: readonly WireMessage[]): void {
    for (const message of messages) {
      if (this.#isReady) {
        this.#answer(message);
      } else if (message.type === "R" && message.bytes.readInt32BE(5) !== 0) {
        this.socket.write(wireMessage("p", Buffer.from(`${decodeURIComponent(this.#url.password)}\0`)));
      } else if (message.type === "Z") {
        this.#isReady = true;
        this.#onStarted();
      }
    }
  }

  #answer(message: WireMessage): void {
    this.#client?.write(message.bytes);
    if (message.type === "Z") {
      this.#open -= 1;
      if (this.#open === 0 && transactionStatus(message) === "I") {
        this.#client = undefined;
        this.#onIdle();
      }
    }
  }
}

function startup(url: URL): Buffer {
  const version = Buffer.alloc(4);
  version.writeInt32BE(protocolVersion);
  const parameters = `user\0${decodeURIComponent(url.username)}\0database\0${url.pathname.slice(1)}\0\0`;
  return wireMessage("", Buffer.concat([version, Buffer.from(parameters)]));
}

/** The pooler believes everybody; only tests reach it. */
function greet(client: Socket, { bytes }: WireMessage): void {
  if (bytes.readInt32BE(4) !== protocolVersion) {
    client.destroy(); // a request to cancel, or for TLS
    return;
  }
  const parameters = Object.entries({
    server_version: "18.0",
    client_encoding: "UTF8",
    standard_conforming_strings: "on",
  });
  const statuses = parameters.map(([name, value]) => wireMessage("S", Buffer.from(`${name}\0${value}\0`)));
  client.write(Buffer.concat([authenticationOk, ...statuses, backendKey, readyForQuery]));
}
