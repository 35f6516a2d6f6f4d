import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Clock, Logger } from "@rad/core";
import { type Identity, issueCertificate } from "./certificates.ts";
import { ensureAuthority } from "./loopback-authority.ts";

export interface LoopbackCertificateOptions {
  /** Where the authority's files lie. */
  readonly directory: string;
  /** Where the server listens. */
  readonly host: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const validDays = 90;
const renewedBeforeEndMs = 30 * 86_400_000;
const checkMs = 600_000;

/**
 * The certificate for loopback connections. Only its authority is on disk: a certificate is issued at every start, in
 * memory, and again before it ends, without a restart and without clients noticing.
 */
export class LoopbackCertificate implements AsyncDisposable {
  readonly #options: LoopbackCertificateOptions;
  readonly #closing = new AbortController();
  readonly caFile: string;
  #identity: Identity;
  #renewing: Promise<void> | undefined;

  private constructor(options: LoopbackCertificateOptions, issued: { identity: Identity; caFile: string }) {
    this.#options = options;
    this.#identity = issued.identity;
    this.caFile = issued.caFile;
  }

  static async create(options: LoopbackCertificateOptions): Promise<LoopbackCertificate> {
    return new LoopbackCertificate(options, await issue(options));
  }

  get identity(): Identity {
    return this.#identity;
  }

  /** Calls `use` with every further certificate, until this is disposed. */
  renewInto(use: (identity: Identity) => void): void {
    this.#renewing = this.#renew(use);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#renewing;
  }

  async #renew(use: (identity: Identity) => void): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    for (;;) {
      await clock.sleep(checkMs, signal).catch(() => {});
      if (signal.aborted) {
        return;
      }
      if (isCurrent(this.#identity, clock.now())) {
        continue;
      }
      try {
        this.#identity = (await issue(this.#options)).identity;
        use(this.#identity);
        log.info("the TLS certificate for loopback connections was renewed");
      } catch (error) {
        log.error("the TLS certificate for loopback connections could not be renewed", { error });
      }
    }
  }
}

async function issue({ directory, host, clock, log }: LoopbackCertificateOptions) {
  const now = clock.now();
  const { caFile, ...authority } = await ensureAuthority(directory, now, log);
  const addresses = isIP(host) === 0 ? [] : [host];
  return { caFile, identity: issueCertificate(authority, { now, validDays, addresses }) };
}

/** A wall clock that was set back makes it one of the future, which clients refuse as well. */
function isCurrent({ cert }: Identity, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  return validFromDate <= now && validToDate.getTime() - now.getTime() > renewedBeforeEndMs;
}
