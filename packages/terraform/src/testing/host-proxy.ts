import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export interface HostProxyOptions {
  /** The port of this machine that stands for a host; `undefined` refuses it. @param host `name:port` */
  readonly portOf: (host: string) => number | undefined;
  /** Answers requests for `http:` URLs, which are sent to a proxy as they are; refused if left out. */
  readonly plain?: RequestListener;
}

/** A proxy for `HTTPS_PROXY` and `http_proxy` that leads to ports of this machine under any host name. */
export interface HostProxy extends AsyncDisposable {
  readonly url: string;
  /** `name:port` of every connection that it made, in order. */
  readonly reachedHosts: readonly string[];
  /** `name:port` of every connection that it refused, in order. */
  readonly refusedHosts: readonly string[];
}

export async function startHostProxy({ portOf, plain }: HostProxyOptions): Promise<HostProxy> {
  const reachedHosts: string[] = [];
  const refusedHosts: string[] = [];
  const server = createServer(plain ?? ((_, response) => response.writeHead(502).end()));
  const tunnels = new Set<Duplex>();
  server.on("connect", (request, socket) => {
    tunnels.add(socket);
    socket.on("close", () => tunnels.delete(socket));
    const host = request.url ?? "";
    const port = portOf(host);
    if (port === undefined) {
      refusedHosts.push(host);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    reachedHosts.push(host);
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
    socket.on("close", () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reachedHosts,
    refusedHosts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      tunnels.forEach((socket) => socket.destroy()); // which the server does not know any more
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
