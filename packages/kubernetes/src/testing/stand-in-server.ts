import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The common name of the client's certificate. */
  readonly clientName: string | undefined;
}

export interface StandIn extends AsyncDisposable {
  readonly url: string;
  readonly ca: Certificate;
  readonly requests: readonly ReceivedRequest[];
  /** Of connections, since the start. */
  readonly connections: () => number;
}

export interface StandInOptions {
  readonly ca?: Certificate;
  readonly leaf?: Certificate;
  /** Asks clients for a certificate. */
  readonly asksForCertificate?: boolean;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => unknown;

/** An HTTPS server for answers that a real API server gives seldom. */
export async function startStandIn(answer: Answer, options: StandInOptions = {}): Promise<StandIn> {
  const ca = options.ca ?? createCa("stand-in CA");
  const { cert, key } = options.leaf ?? createLeaf("stand-in", ca);
  const requests: ReceivedRequest[] = [];
  const tls: ServerOptions = { cert, key, requestCert: options.asksForCertificate ?? false, rejectUnauthorized: false };
  let connections = 0;
  const server = createServer(tls, (message, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of message as AsyncIterable<Buffer>) {
        chunks.push(chunk);
      }
      const socket = message.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } };
      const received = {
        method: message.method ?? "",
        url: message.url ?? "",
        headers: message.headers,
        body: Buffer.concat(chunks).toString(),
        clientName: socket.getPeerCertificate().subject?.CN,
      };
      requests.push(received);
      await answer(received, response);
    })();
  });
  server.on("secureConnection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca,
    requests,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers as an API server does. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A `Status` of Kubernetes. */
export function kubeStatus(code: number, message: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { apiVersion: "v1", kind: "Status", status: "Failure", code, message, ...more };
}
