import { ArtifactError } from "@rad/artifacts";
import { downloadFile } from "@rad/artifacts/download";
import type { DownloadedFile, FileRequest, Network } from "@rad/artifacts/download";
import type { Clock } from "@rad/core";
import { requestRules } from "./installer-network.ts";

export interface ArchiveRequest extends Pick<
  FileRequest,
  "url" | "path" | "sha256" | "maxBytes" | "totalMs" | "idleMs" | "onProgress"
> {
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const maxAttempts = 4;
const backoffMs = 500;

/**
 * Downloads an archive to a temporary file. A server that is briefly out of order is asked again; a connection that
 * breaks is resumed. @throws ArtifactError
 */
export async function downloadArchive(network: Network, request: ArchiveRequest): Promise<DownloadedFile> {
  const { clock, ...rest } = request;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await downloadFile(network, {
        ...requestRules,
        ...rest,
        temporary: true,
        sleep: (ms, signal) => clock.sleep(ms, signal),
      });
    } catch (error) {
      if (attempt === maxAttempts || !mayPass(error)) {
        throw error;
      }
      await clock.sleep(backoffMs * 2 ** (attempt - 1), request.signal);
    }
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof ArtifactError)) {
    return false;
  }
  const { code, status = 0, reason = "" } = error;
  return (code === "Unreachable" && !/^ERR_(?:SSL|TLS)/u.test(reason)) || status === 429 || status >= 500;
}
