import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";

/** Serves one file over HTTPS on this machine, as a company's mirror would. */
export interface TerraformMirror extends AsyncDisposable {
  readonly url: string;
  /** `sha256:` and the digest of the file. */
  readonly checksum: string;
  /** The authority of its certificate, in PEM form. It is good for this machine only. */
  readonly authority: string;
}

export async function startTerraformMirror(file: string): Promise<TerraformMirror> {
  const { createAuthority, issueCertificate } = await import("@rad/control-plane/loopback-tls");
  const now = new Date();
  const authority = createAuthority(now, 1);
  const { cert, key } = issueCertificate(authority, { now, validDays: 1, addresses: [] });
  const { size } = await stat(file);
  const digest = createHash("sha256");
  await pipeline(createReadStream(file), digest);
  const server = createServer({ cert, key }, (request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": size });
    // A download that breaks off is the client's to report.
    void pipeline(createReadStream(file), response).catch(() => request.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    checksum: `sha256:${digest.digest("hex")}`,
    authority: authority.cert,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
