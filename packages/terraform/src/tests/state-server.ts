import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, silentLogger, systemClock } from "@rad/core";
import type { Store } from "@rad/store";
import { StateBackend } from "../state-backend/state-backend.ts";
import { StateReaders } from "../runs/state-readers.ts";

export interface StateServer extends AsyncDisposable {
  readonly port: number;
  /** What states are below. */
  readonly url: string;
  /** Answers all requests with 500 while it is set. */
  isBroken: boolean;
}

/** The control plane's routes for states, on a server of their own. */
export async function startStateServer(store: Store, port = 0): Promise<StateServer> {
  const backend = new StateBackend({ store, clock: systemClock, log: silentLogger, readers: new StateReaders() });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = async (): Promise<Uint8Array> =>
      Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const { authorization } = request.headers;
    const contentMd5 = request.headers["content-md5"];
    const answered = started.isBroken
      ? Promise.resolve({ status: 500, headers: {}, body: "broken" })
      : backend.handle({
          method: request.method ?? "",
          name: url.pathname.slice("/terraform/state/".length),
          authorization,
          lockId: url.searchParams.get("ID") ?? undefined,
          contentMd5: typeof contentMd5 === "string" ? contentMd5 : undefined,
          body,
        });
    answered.then(
      ({ status, headers = {}, body: text }) => response.writeHead(status, headers).end(text),
      (error: unknown) => {
        const status = error instanceof ApiError ? error.status : 500;
        response.writeHead(status).end(error instanceof Error ? error.message : "");
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: actual } = server.address() as AddressInfo;
  const started: StateServer = {
    port: actual,
    url: `http://127.0.0.1:${actual}/terraform/state`,
    isBroken: false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}
