import { once } from "node:events";
import { createServer } from "./node-http.ts";

export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly read: () => Promise<string>;
}

/** Serves the metrics, and nothing else, on a port of its own. */
export async function serveMetrics(options: MetricsListenerOptions): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?")[0] !== options.path) {
      response.writeHead(404).end();
      return;
    }
    options.read().then(
      (text) => response.writeHead(200, { "Content-Type": prometheusContentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
