import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "./certificates.ts";

/** A web server on this machine. */
export interface WebServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a final slash. */
  readonly url: string;
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly port: number;
}

/** Serves by https where it is given a certificate. */
export async function startWebServer(listener: RequestListener, tls?: Certificate): Promise<WebServer> {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host}`,
    host,
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
