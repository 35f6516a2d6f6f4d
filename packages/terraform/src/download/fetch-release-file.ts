import { fetchPatiently, isSuccess } from "@rad/artifacts/download";
import type { Network } from "@rad/artifacts/download";
import type { Clock } from "@rad/core";
import { InstallError } from "../install-error.ts";
import { requestRules } from "./installer-network.ts";

export interface ReleaseFileRequest {
  readonly url: string;
  /** For messages: `the SHA256SUMS of Terraform 1.6.4`. */
  readonly what: string;
  readonly maxBytes: number;
  readonly totalMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const maxAttempts = 4;

/** Fetches a small file of a release into memory. @throws ArtifactError, InstallError `NotPublished`, `DownloadFailed` */
export async function fetchReleaseFile(network: Network, request: ReleaseFileRequest): Promise<Uint8Array> {
  const { clock, what, ...rest } = request;
  const patience = { maxAttempts, sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms, signal) };
  const { status, bytes, url } = await fetchPatiently(network, { ...requestRules, ...rest }, patience);
  if (isSuccess(status)) {
    return bytes;
  }
  const place = `${url.origin}${url.pathname}`;
  throw status === 404 || status === 410 || status === 403
    ? new InstallError("NotPublished", `${place} answered with status ${status}: ${what} is not there.`)
    : new InstallError("DownloadFailed", `${place} answered with status ${status} when asked for ${what}.`);
}
