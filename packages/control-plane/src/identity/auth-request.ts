import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** The parts of a request that say who sent it. */
export interface AuthRequest {
  readonly authorization?: string | undefined;
  /**
   * By lower-case name, one entry per header line. `IncomingMessage.headers` joins repeated lines with commas, after
   * which the group `a, b` looks like the two groups `a` and `b`.
   */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly clientCertificate?: ClientCertificate | undefined;
}

interface ClientCertificate {
  /** Whether the TLS handshake verified it against the configured CA. */
  readonly authorized: boolean;
  readonly commonName: string;
}

export function authRequestOf(message: IncomingMessage): AuthRequest {
  const clientCertificate = message.socket instanceof TLSSocket ? clientCertificateOf(message.socket) : undefined;
  return {
    authorization: message.headers.authorization,
    // Splitting costs, and only a proxy's headers need it.
    headers: clientCertificate === undefined ? {} : message.headersDistinct,
    clientCertificate,
  };
}

/** Parsing a certificate costs more than all the rest, and a proxy sends many requests over one connection. */
const certificates = new WeakMap<TLSSocket, ClientCertificate>();

function clientCertificateOf(socket: TLSSocket): ClientCertificate | undefined {
  if (!socket.authorized) {
    return undefined;
  }
  const known = certificates.get(socket);
  if (known !== undefined) {
    return known;
  }
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  // With several common names there is no telling which one the CA meant.
  const certificate = { authorized: true, commonName: typeof name === "string" ? name : "" };
  certificates.set(socket, certificate);
  return certificate;
}
