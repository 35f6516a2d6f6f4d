import { request as send } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** Sends a request on as it came, host included, and the answer back. */
export async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  to: { readonly host: string; readonly port: number },
  body: Buffer,
): Promise<void> {
  const { method, url, headers } = incoming;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { "transfer-encoding": _, ...kept } = headers;
    const outgoing = send({ ...to, method, path: url, headers: { ...kept, "content-length": body.length } }, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
  const content = await buffer(answer);
  response.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
}
