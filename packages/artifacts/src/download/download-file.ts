import { setTimeout as delay } from "node:timers/promises";
import { ArtifactError } from "../artifact-error.ts";
import { createNewFile } from "../files/atomic-file.ts";
import { systemCode } from "../system-code.ts";
import { startDeadline } from "./deadline.ts";
import type { Deadline } from "./deadline.ts";
import { bodyError, discard, exchange } from "./exchange.ts";
import type { DownloadRequest, Exchange } from "./exchange.ts";
import { checkAnnounced, hostOf, isSuccess, tooLarge } from "./fetch-bytes.ts";
import { HashedFile } from "./hashed-file.ts";
import type { Network } from "./network.ts";
import { displayUrl } from "./request-rules.ts";
import { continuesAt, rangeHeaders, totalBytesOf } from "./resume.ts";

export interface FileRequest extends DownloadRequest {
  /** Where the file will be, as soon as it is whole and on the disk. */
  readonly path: string;
  /** Whether nobody needs the file after a crash: it is not fsynced then. */
  readonly temporary?: boolean;
  /** What its content must be, in 64 hexadecimal digits. */
  readonly sha256?: string | undefined;
  /** About once per megabyte. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface DownloadProgress {
  readonly bytes: number;
  /** When the server says how many there will be. */
  readonly totalBytes: number | undefined;
}

export interface DownloadedFile {
  readonly bytes: number;
  readonly sha256: string;
}

const maxResumes = 5;
const backoffMs = 200;

/**
 * Downloads a file of any size, as its server sends it. A connection that breaks is resumed where it broke if the server
 * still has the same content, else from the start; only a call that succeeds leaves a file. @throws ArtifactError
 */
export async function downloadFile(network: Network, request: FileRequest): Promise<DownloadedFile> {
  using deadline = startDeadline(request, hostOf(request.url));
  await using target = await createNewFile(request.path, 0o600).catch(unwritable(request.path));
  const file = new HashedFile(target.handle);
  const url = await transfer(network, request, file, deadline).catch(unwritable(request.path));
  const sha256 = file.digest();
  if (request.sha256 !== undefined && request.sha256.toLowerCase() !== sha256) {
    const message = `${displayUrl(url)} has the digest sha256:${sha256} instead of sha256:${request.sha256}.`;
    throw new ArtifactError("DigestMismatch", message);
  }
  deadline.throwIfOver();
  await target.commit({ sync: request.temporary !== true }).catch(unwritable(request.path));
  return { bytes: file.bytes, sha256 };
}

/** @returns where the content came from in the end */
async function transfer(network: Network, request: FileRequest, file: HashedFile, deadline: Deadline): Promise<URL> {
  const { sleep = (ms, signal) => delay(ms, undefined, { signal }) } = request;
  let first: Exchange | undefined; // the answer that the content in the file began with
  for (let resumes = 0; ; resumes += 1) {
    const headers = { ...request.headers, ...rangeHeaders(file.bytes, first) };
    try {
      const answer = await exchange(network, { ...request, headers }, deadline);
      await prepare(answer, file, first);
      first = file.bytes === 0 ? answer : first;
      await receive(answer, request, file, deadline);
      return answer.url;
    } catch (error) {
      if (resumes === maxResumes || !mayResume(error, file.bytes)) {
        throw error;
      }
      await sleep(backoffMs * 2 ** resumes, deadline.signal).catch(() => deadline.throwIfOver());
      deadline.touch();
    }
  }
}

/** Somebody who never sent anything is not asked again: that is for the caller to decide. */
function mayResume(error: unknown, bytes: number): boolean {
  if (!(error instanceof ArtifactError)) {
    return false;
  }
  const { code, status = 0 } = error;
  return code === "Interrupted" || (bytes > 0 && (code === "Unreachable" || status >= 500));
}

/** Makes the file ready for what the answer brings. @throws ArtifactError when that is of no use */
async function prepare(answer: Exchange, file: HashedFile, first: Exchange | undefined): Promise<void> {
  const { body, status, url } = answer;
  if (continuesAt(answer, file.bytes, first)) {
    return;
  }
  if (status === 206 || status === 416) {
    discard(body);
    // Where there was something to resume, the next try starts anew.
    const code = file.bytes > 0 ? "Interrupted" : "InvalidAnswer";
    await file.restart();
    throw new ArtifactError(code, `${displayUrl(url)} answered with another part than the one asked for.`, { status });
  }
  if (!isSuccess(status)) {
    discard(body);
    throw new ArtifactError("HttpStatus", `${displayUrl(url)} answered with status ${status}.`, { status });
  }
  await file.restart();
}

async function receive(answer: Exchange, request: FileRequest, file: HashedFile, deadline: Deadline): Promise<void> {
  const { body, url } = answer;
  const { maxBytes, onProgress } = request;
  checkAnnounced(answer, file.bytes, maxBytes);
  const totalBytes = totalBytesOf(answer);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      deadline.touch();
      if (file.bytes + chunk.byteLength > maxBytes) {
        throw tooLarge(url, maxBytes);
      }
      if (await file.add(chunk)) {
        onProgress?.({ bytes: file.bytes, totalBytes });
      }
    }
    await file.flush();
    onProgress?.({ bytes: file.bytes, totalBytes });
  } catch (error) {
    await file.settle();
    throw file.failure ?? bodyError(error, url, deadline);
  }
  if (totalBytes !== undefined && totalBytes !== file.bytes) {
    throw new ArtifactError("Interrupted", `${url.host} sent ${file.bytes} bytes instead of ${totalBytes}.`);
  }
}

function unwritable(path: string): (error: unknown) => never {
  return (error) => {
    const reason = systemCode(error);
    if (error instanceof ArtifactError || reason === undefined || !/^E[A-Z0-9]+$/u.test(reason)) {
      throw error;
    }
    throw new ArtifactError("FileUnwritable", `${path} cannot be written (${reason}).`, { reason, cause: error });
  };
}
