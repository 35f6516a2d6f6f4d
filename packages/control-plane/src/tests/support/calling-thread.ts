import { parentPort, Worker } from "node:worker_threads";
import { largeBodies } from "./large-bodies.ts";

export interface ThreadCall {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  /** A name of `largeBodies`. */
  readonly body?: string | undefined;
}

export interface ThreadReply {
  readonly status: number;
}

/** Calls a server from another thread, so that the one of the server does nothing else. */
export class CallingThread implements AsyncDisposable {
  readonly #worker = new Worker(new URL(import.meta.url));
  readonly #waiting = new Map<number, (reply: ThreadReply) => void>();
  #calls = 0;

  constructor() {
    this.#worker.on("message", ({ id, reply }: { id: number; reply: ThreadReply }) => {
      this.#waiting.get(id)?.(reply);
      this.#waiting.delete(id);
    });
  }

  call(call: ThreadCall): Promise<ThreadReply> {
    return new Promise((resolve) => {
      this.#calls += 1;
      this.#waiting.set(this.#calls, resolve);
      this.#worker.postMessage({ id: this.#calls, call }, []);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

parentPort?.on("message", ({ id, call }: { id: number; call: ThreadCall }) => {
  void perform(call).then((reply) => parentPort?.postMessage({ id, reply }, []));
});

async function perform(call: ThreadCall): Promise<ThreadReply> {
  const { method, url, token, body } = call;
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: largeBodies[body]?.() ?? "" }),
  });
  await response.arrayBuffer();
  return { status: response.status };
}
