import { createServer, type Server, type Socket } from "node:net";

/** Listens on one port of localhost, on both of its addresses where the machine has both. */
export interface LocalListener extends AsyncDisposable {
  readonly port: number;
}

/**
 * @param port 0 takes a free one
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function listenLocally(port: number, accept: (socket: Socket) => void): Promise<LocalListener> {
  const open = await listenOn("127.0.0.1", port, accept);
  const servers = [open.server];
  try {
    const second = await listenOn("::1", open.port, accept);
    servers.push(second.server);
  } catch (error) {
    // A browser may try ::1 first, and must not meet another program there.
    if (codeOf(error) === "EADDRINUSE" && port !== 0) {
      await close(servers);
      throw error;
    }
  }
  return { port: open.port, [Symbol.asyncDispose]: () => close(servers) };
}

/** Listens on the wanted port, else on any. */
export async function listenPreferably(port: number, accept: (socket: Socket) => void): Promise<LocalListener> {
  try {
    return await listenLocally(port, accept);
  } catch (error) {
    // EACCES: ports below 1024 are not everybody's.
    if (codeOf(error) === "EADDRINUSE" || codeOf(error) === "EACCES") {
      return await listenLocally(0, accept);
    }
    throw error;
  }
}

async function listenOn(
  host: string,
  port: number,
  accept: (socket: Socket) => void,
): Promise<{ server: Server; port: number }> {
  // A client that has said all it has to say still wants the answer.
  const server = createServer({ allowHalfOpen: true }, accept);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port, exclusive: true }, resolve);
  await promise;
  server.off("error", reject);
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : port };
}

async function close(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve()))));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
