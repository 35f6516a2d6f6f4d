import type { Clock, Logger } from "@rad/core";
import type { HttpServer, Listener, ServerTls } from "../http/http-server.ts";
import { LoopbackCertificate } from "./loopback-certificate.ts";

export interface LoopbackTlsOptions {
  readonly http: HttpServer;
  readonly directory: string;
  readonly host: string;
  /** The port that the API was asked to listen at. */
  readonly apiPort: number;
  /** As configured. */
  readonly port: number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ServedLoopbackTls extends AsyncDisposable {
  /** Absent where the certificate cannot be kept, which the log says. */
  readonly loopbackTls: { readonly url: string; readonly caFile: string } | undefined;
}

/** 9443 beside 9000: several servers on a machine, on ports next to each other, get ports of their own here, too. */
const portDistance = 443;
const cannotKeep = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "LockFailed"]);

/**
 * Takes the API's requests over TLS as well, on loopback, with a certificate of this server's own.
 * @throws whatever listening says, for a port that is configured; otherwise what is in the way is a warning, because the
 * server does all its work without this listener.
 */
export async function serveLoopbackTls(options: LoopbackTlsOptions): Promise<ServedLoopbackTls> {
  const { log, port } = options;
  let certificate: LoopbackCertificate;
  try {
    certificate = await LoopbackCertificate.create(options);
  } catch (error) {
    if (port !== undefined || !cannotKeep.has(codeOf(error))) {
      throw error;
    }
    log.warn("there is no TLS on loopback, since its certificate cannot be kept in the data folder", {
      error: String(error),
    });
    return { loopbackTls: undefined, [Symbol.asyncDispose]: async () => {} };
  }
  const listener = await listen(options, { ...certificate.identity, minVersion: "TLSv1.2" });
  certificate.renewInto((identity) => listener.replaceTls({ ...identity, minVersion: "TLSv1.2" }));
  return {
    loopbackTls: { url: listener.url, caFile: certificate.caFile },
    [Symbol.asyncDispose]: () => certificate[Symbol.asyncDispose](),
  };
}

async function listen(options: LoopbackTlsOptions, tls: ServerTls): Promise<Listener> {
  const { http, host, apiPort, log } = options;
  const port = options.port ?? defaultPort(apiPort);
  try {
    return await http.listen({ host, port, tls });
  } catch (error) {
    const isTaken = codeOf(error) === "EADDRINUSE" || codeOf(error) === "EACCES";
    if (options.port !== undefined || !isTaken) {
      throw error;
    }
    log.warn(
      "the usual port for TLS on loopback is taken, so another one is used, and kubeconfig files have to be written again after every start; " +
        "choose one with server.loopbackTls.port",
      { taken: port },
    );
    return await http.listen({ host, port: 0, tls });
  }
}

function defaultPort(apiPort: number): number {
  return apiPort === 0 || apiPort + portDistance > 65_535 ? 0 : apiPort + portDistance;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
