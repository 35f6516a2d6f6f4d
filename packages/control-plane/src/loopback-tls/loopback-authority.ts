import { X509Certificate, createPrivateKey } from "node:crypto";
import { join } from "node:path";
import { lockFile, makeFolder, writeFileAtomically } from "@rad/artifacts/files";
import type { Logger } from "@rad/core";
import { fileExposure } from "@rad/store";
import { readIfPresent } from "../identity/token-file.ts";
import { createAuthority, type Identity } from "./certificates.ts";

export interface LoopbackAuthority extends Identity {
  /** What clients have to trust. */
  readonly caFile: string;
}

/** The authority's files are not as we would have written them. */
class LoopbackTlsError extends Error {
  override readonly name = "LoopbackTlsError";
  readonly code = "InsecureTlsKey";
}

const validDays = 3_650;
/** Certificates of it are valid for a shorter time than this. */
const replacedBeforeEndMs = 365 * 86_400_000;

/**
 * Reads the authority of a data folder, or makes one: `tls-ca.crt` for clients and `tls-ca.key`, both readable by their owner
 * only. It is kept as long as it is valid, since kubeconfig files name it. The key is written first; a crash in between
 * leaves a pair that does not fit, which counts as none. Several processes at once end up with one.
 */
export async function ensureAuthority(directory: string, now: Date, log: Logger): Promise<LoopbackAuthority> {
  const caFile = join(directory, "tls-ca.crt");
  const keyFile = join(directory, "tls-ca.key");
  const danger = fileExposure(keyFile) ?? fileExposure(caFile);
  if (danger !== undefined) {
    throw new LoopbackTlsError(`The TLS key of this server may be known to others: ${danger}`);
  }
  const known = await read(caFile, keyFile, now);
  if (known !== undefined) {
    return { ...known, caFile };
  }
  await makeFolder(directory);
  using _ = await lockFile(join(directory, "tls-ca.lock"));
  const meanwhile = await read(caFile, keyFile, now);
  if (meanwhile !== undefined) {
    return { ...meanwhile, caFile };
  }
  const hadOne = (await readIfPresent(caFile)) !== undefined;
  const authority = createAuthority(now, validDays);
  await writeFileAtomically(keyFile, authority.key, { mode: 0o600, forceMode: true });
  await writeFileAtomically(caFile, authority.cert, { mode: 0o600, forceMode: true });
  if (hadOne) {
    log.warn(
      "the TLS authority of this server was replaced; write kubeconfig files again with `rad server kubeconfig`",
      {
        caFile,
      },
    );
  }
  return { ...authority, caFile };
}

/** Nothing when it is missing, damaged, or about to end. */
async function read(caFile: string, keyFile: string, now: Date): Promise<Identity | undefined> {
  const [cert, key] = [await readIfPresent(caFile), await readIfPresent(keyFile)];
  if (cert === undefined || key === undefined) {
    return undefined;
  }
  try {
    const parsed = new X509Certificate(cert);
    // One of the future is kept: the clock is wrong now, and clients would need a new kubeconfig for ever.
    const isCurrent = parsed.validToDate.getTime() - now.getTime() > replacedBeforeEndMs;
    return isCurrent && parsed.checkPrivateKey(createPrivateKey(key)) ? { cert, key } : undefined;
  } catch {
    return undefined; // not a certificate, or not a key
  }
}
