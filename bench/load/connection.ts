import { connect } from "node:net";
import type { Socket } from "node:net";

interface RequestParts {
  readonly body?: string;
  /** The header of that name. */
  readonly prefer?: string;
}

export interface Reply {
  readonly status: number;
  /** The header block, as it came. */
  readonly head: string;
  readonly body: string;
}

/**
 * One keep-alive connection that does no more than it must: `node:http` spends as much time on a request as the server
 * under test does and would hide the difference that is to be measured. One request at a time, bodies with a length.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #token: string;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, host: string, token: string) {
    this.#socket = socket;
    this.#host = host;
    this.#token = token;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error("the server closed the connection")));
  }

  static async open(url: string, token: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new Connection(socket, host, token);
  }

  send(method: string, path: string, { body, prefer }: RequestParts = {}): Promise<Reply> {
    const content =
      body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    const preference = prefer === undefined ? "" : `prefer: ${prefer}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nauthorization: Bearer ${this.#token}\r\n${preference}${content}\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(body === undefined ? head : head + body);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0 || this.#waiting === undefined) {
      return;
    }
    const head = this.#received.toString("latin1", 0, headEnd);
    const length = Number(header(head, "content-length") ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) {
      return;
    }
    const reply = { status: Number(head.slice(9, 12)), head, body: this.#received.toString("utf8", headEnd + 4, end) };
    this.#received = this.#received.subarray(end);
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve(reply);
  }
}

/** A header's value out of a header block; names in lower case. */
export function header(head: string, name: string): string | undefined {
  const start = head.toLowerCase().indexOf(`\r\n${name}: `);
  if (start < 0) {
    return undefined;
  }
  const from = start + name.length + 4;
  const to = head.indexOf("\r\n", from);
  return head.slice(from, to < 0 ? undefined : to).trim();
}
