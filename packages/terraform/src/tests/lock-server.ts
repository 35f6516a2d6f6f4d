import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An http backend of somebody else: one state, and one lock that is given to the first who asks. */
export interface LockServer extends AsyncDisposable {
  readonly url: string;
  /** What Terraform said about itself when it took the lock. */
  lock: string | undefined;
}

export async function startLockServer(): Promise<LockServer> {
  let state: Buffer | undefined;
  const server = createServer((request, response) => {
    void Array.fromAsync(request as AsyncIterable<Buffer>).then((pieces) => {
      const body = Buffer.concat(pieces);
      switch (request.method) {
        case "GET":
          response.writeHead(state === undefined ? 404 : 200).end(state);
          break;
        case "LOCK":
          response.writeHead(started.lock === undefined ? 200 : 423).end(started.lock);
          started.lock ??= body.toString("utf8");
          break;
        case "UNLOCK":
          started.lock = undefined;
          response.writeHead(200).end();
          break;
        default:
          state = body;
          response.writeHead(200).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const started: LockServer = {
    url: `http://127.0.0.1:${port}/state`,
    lock: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}
