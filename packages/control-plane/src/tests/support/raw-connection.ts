import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection on which tests can say what no HTTP client would. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  #received = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => void socket.once("close", resolve));
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
    });
    socket.on("error", () => {}); // the tests look at what arrived and whether the other side hung up
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
