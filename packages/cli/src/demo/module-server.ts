import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves a Terraform module on this machine. */
interface ModuleServer extends AsyncDisposable {
  /** The module's source, as recipes name it. */
  readonly source: string;
}

export async function startModuleServer(files: Readonly<Record<string, string>>): Promise<ModuleServer> {
  const { writeTarGzip } = await import("@rad/artifacts/archives");
  const archive = writeTarGzip(new Map(Object.entries(files)));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/gzip", "content-length": archive.length }).end(archive);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    source: `http://127.0.0.1:${port}/database.tar.gz`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
