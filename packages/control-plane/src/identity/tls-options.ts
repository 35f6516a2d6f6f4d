import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../config/index.ts";
import type { ServerConfig } from "../config/index.ts";

/** Options for `node:https`, or `undefined` for a server that speaks plain HTTP. */
export interface TlsOptions {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: "TLSv1.2";
  /** Present with a front proxy: the only CA whose client certificates count. */
  readonly ca?: Buffer;
  readonly requestCert?: boolean;
  readonly rejectUnauthorized?: boolean;
}

/** @throws ConfigError naming the file that cannot be read. */
export async function loadTlsOptions(config: ServerConfig): Promise<TlsOptions | undefined> {
  const directory = config.server.tlsCertificateDirectory;
  if (directory === undefined) {
    return undefined;
  }
  const cert = await read(join(directory, "tls.crt"));
  const key = await read(join(directory, "tls.key"));
  const { frontProxy } = config.authentication;
  if (frontProxy === undefined) {
    return { cert, key, minVersion: "TLSv1.2" };
  }
  // A client without that certificate may still connect and show a token, so the handshake must not refuse it.
  const ca = await read(frontProxy.caFile);
  return { cert, key, minVersion: "TLSv1.2", ca, requestCert: true, rejectUnauthorized: false };
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ConfigError([`${file}: cannot be read (${reason})`]);
  }
}
