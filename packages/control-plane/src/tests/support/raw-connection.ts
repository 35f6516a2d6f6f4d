import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection on which tests can say what no HTTP client would. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  #received = "";
  #failure: string | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => void socket.once("close", resolve));
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
    });
    // The tests look at what arrived and whether the other side hung up.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      this.#failure = error.code;
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  get received(): string {
    return this.#received;
  }

  /** How the connection broke, such as `ECONNRESET`; nothing when it ended as it should. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Takes nothing more of what the server sends. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  send(text: string | Buffer): void {
    this.#socket.write(text);
  }

  /** Resolves to all that arrived, once the server has closed the connection. */
  async end(): Promise<string> {
    await this.#closed;
    return this.#received;
  }

  /** Hangs up without a goodbye. */
  [Symbol.dispose](): void {
    this.#socket.resetAndDestroy();
  }
}
