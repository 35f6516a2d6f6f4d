import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface RecordedExchange {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly exchanges: RecordedExchange[];
}

/** Passes everything on to the server at `target` as it is, and keeps what was asked. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: RecordedExchange[] = [];
  const server = createServer((asked, answer) => {
    const { method = "", url: path = "", headers } = asked;
    const passOn = (body: Buffer) => {
      exchanges.push({ method, path, headers, body });
      const passedOn = request(new URL(path, target), { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
        response.pipe(answer);
      });
      passedOn.on("error", () => answer.destroy());
      answer.on("close", () => passedOn.destroy());
      passedOn.end(body);
    };
    buffer(asked).then(passOn, () => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
