import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** `GET /path`, without the query, of all requests so far. */
  readonly requests: readonly string[];
  /** Where requests go; while it is undefined, connections are cut. */
  target: string | undefined;
}

/** Passes requests on to a server that may be replaced, with the headers that `change` leaves. */
export async function startProxy(
  target: string,
  change: (headers: IncomingMessage["headers"]) => IncomingMessage["headers"] = (headers) => headers,
): Promise<Proxy> {
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url?.split("?")[0]}`);
    passOn(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    target: target as string | undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;

  function passOn(incoming: IncomingMessage, response: ServerResponse): void {
    const giveUp = (): void => void response.destroy();
    if (proxy.target === undefined) {
      giveUp();
      return;
    }
    const { method, url = "/", headers } = incoming;
    const outgoing = request(new URL(url, proxy.target), { method, headers: change(headers), agent: false });
    outgoing.on("error", giveUp);
    outgoing.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", giveUp);
      answer.pipe(response);
    });
    response.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}
