import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { MessageSplitter, transactionStatus } from "./wire-messages.ts";
import type { WireMessage } from "./wire-messages.ts";

export interface WireCounts {
  /** How often the client waited for an answer: requests that it sends without waiting for the one before count once. */
  readonly roundTrips: number;
  /** Simple queries, and executions of prepared ones. */
  readonly statements: number;
}

export interface ProxiedConnection extends WireCounts {
  /** Whether it has sent LISTEN. */
  readonly isListening: boolean;
}

/** Where a connection breaks. */
export type Cut =
  /** The database never gets what the client has sent. */
  | { readonly at: "request" }
  /** The database has done its work and is outside of a transaction; so many bytes of what it says arrive. */
  | { readonly at: "answer"; readonly bytes: number }
  /** The client has got the whole answer. */
  | { readonly at: "end" };

/** Stands between a client and PostgreSQL, counts what they exchange, and breaks connections on demand. */
export class CountingProxy implements AsyncDisposable {
  /** Of the database, through the proxy. */
  readonly url: string;
  /** So long every answer takes on its way. */
  delayMs = 0;
  /** Whether new connections are closed at once. */
  isRefusing = false;
  readonly #server: Server;
  readonly #exchanges: Exchange[] = [];
  readonly #cuts: { readonly cut: Cut; readonly done: () => void }[] = [];

  private constructor(server: Server, databaseUrl: string) {
    this.#server = server;
    const url = new URL(databaseUrl);
    const target = { host: url.hostname, port: Number(url.port) };
    server.on("connection", (client) => {
      if (this.isRefusing) {
        client.destroy();
        return;
      }
      this.#exchanges.push(new Exchange(client, connect(target), this));
    });
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
  }

  static async start(databaseUrl: string): Promise<CountingProxy> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new CountingProxy(server, databaseUrl);
  }

  /** Every connection so far, those that are closed included. */
  get connections(): readonly ProxiedConnection[] {
    return this.#exchanges;
  }

  /** All connections together. */
  get total(): WireCounts {
    const sum = (count: keyof WireCounts): number =>
      this.#exchanges.reduce((total, exchange) => total + exchange[count], 0);
    return { roundTrips: sum("roundTrips"), statements: sum("statements") };
  }

  /** Breaks the first connection that comes to this point from now on; resolves when it has. */
  async cut(cut: Cut): Promise<void> {
    await new Promise<void>((done) => this.#cuts.push({ cut, done }));
  }

  /** Breaks every connection now. */
  cutAll(): void {
    for (const exchange of this.#exchanges) {
      exchange.close();
    }
  }

  /** Whether a connection is to break at this point. Who asks breaks it. */
  takeCut(at: Cut["at"]): Cut | undefined {
    const index = this.#cuts.findIndex(({ cut }) => cut.at === at);
    const [taken] = index < 0 ? [] : this.#cuts.splice(index, 1);
    taken?.done();
    return taken?.cut;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.cutAll();
    await closed;
  }
}

/** One connection and its continuation to the database. */
class Exchange implements ProxiedConnection {
  roundTrips = 0;
  statements = 0;
  isListening = false;
  readonly #client: Socket;
  readonly #database: Socket;
  readonly #proxy: CountingProxy;
  /** The session begins with a ReadyForQuery that nobody has asked for. */
  #isReady = false;
  /** Requests whose ReadyForQuery has not come. */
  #open = 0;
  /** What has come of the answer so far. */
  #answer: Buffer[] = [];

  constructor(client: Socket, database: Socket, proxy: CountingProxy) {
    this.#client = client;
    this.#database = database;
    this.#proxy = proxy;
    const requests = new MessageSplitter("client");
    const answers = new MessageSplitter("server");
    for (const socket of [client, database]) {
      socket.setNoDelay(true);
      socket.on("error", () => {}); // `close` follows
    }
    client.on("data", (chunk: Buffer) => this.#request(requests.push(chunk)));
    client.on("close", () => database.destroy());
    database.on("data", (chunk: Buffer) => this.#receive(answers.push(chunk)));
    database.on("close", () => {
      this.#pass(); // an error without ReadyForQuery, as when PostgreSQL shuts down
      this.#later(() => client.destroySoon());
    });
  }

  close(): void {
    this.#answer = [];
    this.#client.destroy();
    this.#database.destroy();
  }

  #request(messages: readonly WireMessage[]): void {
    if (messages.length === 0) {
      return;
    }
    if (this.#isReady && this.#proxy.takeCut("request") !== undefined) {
      this.close();
      return;
    }
    for (const message of messages) {
      this.#count(message);
    }
    this.#database.write(Buffer.concat(messages.map(({ bytes }) => bytes)));
  }

  #count({ type, bytes }: WireMessage): void {
    const isQuery = type === "Q";
    if (isQuery || type === "E") {
      this.statements += 1;
    }
    if (isQuery || type === "P") {
      this.isListening ||= /^LISTEN /i.test(bytes.toString("latin1", 5, 12));
    }
    if (isQuery || type === "S") {
      this.roundTrips += this.#open === 0 ? 1 : 0;
      this.#open += 1;
    }
  }

  /** Answers are passed on whole: a client waits for their end anyway, and they can be cut anywhere then. */
  #receive(messages: readonly WireMessage[]): void {
    for (const message of messages) {
      this.#answer.push(message.bytes);
      if (message.type === "Z") {
        this.#end(message);
      }
    }
    if (!this.#isReady || this.#open === 0) {
      this.#pass(); // how a session begins, and notifications
    }
  }

  #end(ready: WireMessage): void {
    if (!this.#isReady) {
      this.#isReady = true;
      return;
    }
    this.#open -= 1;
    const isOutside = transactionStatus(ready) === "I";
    const cut = isOutside ? this.#proxy.takeCut("answer") : undefined;
    if (cut?.at === "answer") {
      const answer = Buffer.concat(this.#answer);
      this.#answer = [answer.subarray(0, Math.min(cut.bytes, answer.length - 1))];
    }
    this.#pass();
    if (cut !== undefined || (isOutside && this.#proxy.takeCut("end") !== undefined)) {
      this.#later(() => {
        this.#client.destroySoon();
        this.#database.destroy();
      });
    }
  }

  #pass(): void {
    const bytes = Buffer.concat(this.#answer);
    this.#answer = [];
    if (bytes.length > 0) {
      this.#later(() => this.#client.write(bytes));
    }
  }

  #later(work: () => void): void {
    if (this.#proxy.delayMs === 0) {
      work();
    } else {
      setTimeout(work, this.#proxy.delayMs);
    }
  }
}
