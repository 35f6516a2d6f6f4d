import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Keeps states by path, as the http backend wants it, for one user. */
export interface StateServer extends AsyncDisposable {
  readonly url: string;
  readonly states: ReadonlyMap<string, string>;
}

export async function startStateServer(username: string, password: string): Promise<StateServer> {
  const states = new Map<string, string>();
  const locks = new Set<string>();
  const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://localhost").pathname;
    void text(request).then((body) => {
      const answer = (status: number, content = ""): void => {
        response.writeHead(status).end(content);
      };
      if (request.headers.authorization !== wanted) {
        answer(401);
      } else if (request.method === "LOCK") {
        const isFree = !locks.has(path);
        locks.add(path);
        answer(isFree ? 200 : 423);
      } else if (request.method === "UNLOCK") {
        locks.delete(path);
        answer(200);
      } else if (request.method === "POST") {
        states.set(path, body);
        answer(200);
      } else {
        const state = states.get(path);
        answer(state === undefined ? 404 : 200, state);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    states,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
