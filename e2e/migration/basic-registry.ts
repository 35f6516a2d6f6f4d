import { type Certificate, createLeaf, startWebServer } from "@rad/artifacts/testing";

/** A registry of the OCI protocol that knows one login, and hands out tokens for it. */
export interface BasicRegistry extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly host: string;
}

export async function startBasicRegistry(ca: Certificate, username: string, password: string): Promise<BasicRegistry> {
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const server = await startWebServer(
    (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "https://registry");
      if (pathname === "/token") {
        const isKnown = request.headers.authorization === expected;
        response.writeHead(isKnown ? 200 : 401).end(isKnown ? '{"token":"x"}' : "");
        return;
      }
      const realm = `https://${request.headers.host}/token`;
      response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}",service="test"` }).end();
    },
    createLeaf("127.0.0.1", ca),
  );
  return { host: server.host, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
