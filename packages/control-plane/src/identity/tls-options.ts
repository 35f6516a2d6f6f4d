import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
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

export function tlsFilesIn(directory: string): readonly [certFile: string, keyFile: string] {
  return [join(directory, "tls.crt"), join(directory, "tls.key")];
}

/** @throws ConfigError naming the files that cannot be read or used. */
export async function loadTlsOptions(config: ServerConfig): Promise<TlsOptions | undefined> {
  const directory = config.server.tlsCertificateDirectory;
  if (directory === undefined) {
    return undefined;
  }
  const [certFile, keyFile] = tlsFilesIn(directory);
  const own = { cert: await read(certFile), key: await read(keyFile), minVersion: "TLSv1.2" } as const;
  checkUsable(`${certFile} and ${keyFile}`, () => createSecureContext(own));
  const { frontProxy } = config.authentication;
  if (frontProxy === undefined) {
    return own;
  }
  const ca = await read(frontProxy.caFile);
  // The handshake would pass over a damaged CA in silence, and then trust nobody.
  checkUsable(frontProxy.caFile, () => new X509Certificate(ca));
  // A client without that certificate may still connect and show a token, so the handshake must not refuse it.
  return { ...own, ca, requestCert: true, rejectUnauthorized: false };
}

/** Damaged files and a key that belongs to another certificate would otherwise surface as a bare OpenSSL code. */
function checkUsable(files: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw new ConfigError([`${files}: cannot be used for TLS (${codeOf(error)})`]);
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new ConfigError([`${file}: cannot be read (${codeOf(error)})`]);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
