import { promisify } from "node:util";
import { ArtifactError } from "../artifact-error.ts";
import { systemCode } from "../system-code.ts";
import { startDeadline } from "./deadline.ts";
import type { Deadline } from "./deadline.ts";
import { bodyError, discard, exchange } from "./exchange.ts";
import type { AnswerHeaders, DownloadRequest, Exchange } from "./exchange.ts";
import type { Network } from "./network.ts";
import { Pieces } from "./pieces.ts";
import { displayUrl } from "./request-rules.ts";

export interface BytesRequest extends DownloadRequest {
  /** Sent by POST; without it the request is a GET. */
  readonly form?: URLSearchParams;
}

export interface Answer {
  /** The one that answered, after all redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Decoded; empty unless the status is 2xx. */
  readonly bytes: Uint8Array;
}

/** Downloads something small into memory. Whatever its status, an answer is one: the caller looks at it. @throws ArtifactError */
export async function fetchBytes(network: Network, request: BytesRequest): Promise<Answer> {
  using deadline = startDeadline(request, hostOf(request.url));
  const answer = await exchange(network, request, deadline);
  const { url, status, headers, body } = answer;
  if (!isSuccess(status)) {
    discard(body);
    return { url, status, headers, bytes: new Uint8Array() };
  }
  const bytes = await collect(answer, request.maxBytes, deadline);
  return { url, status, headers, bytes: await decode(bytes, answer, request.maxBytes) };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** @throws ArtifactError `TooLarge` by what the server announces. */
export function checkAnnounced({ headers, url, body }: Exchange, already: number, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) + already > maxBytes) {
    discard(body);
    throw tooLarge(url, maxBytes);
  }
}

export function tooLarge(url: URL, maxBytes: number): ArtifactError {
  return new ArtifactError("TooLarge", `${displayUrl(url)} is larger than ${maxBytes} bytes.`);
}

export function hostOf(url: string | URL): string {
  return URL.parse(url)?.host ?? "";
}

async function collect(answer: Exchange, maxBytes: number, deadline: Deadline): Promise<Buffer> {
  checkAnnounced(answer, 0, maxBytes);
  const pieces = new Pieces();
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      deadline.touch();
      pieces.add(chunk);
      if (pieces.bytes > maxBytes) {
        throw tooLarge(answer.url, maxBytes);
      }
    }
  } catch (error) {
    throw bodyError(error, answer.url, deadline);
  }
  return Buffer.concat(pieces.take());
}

/** We ask for plain bytes, but storage sends what was put there compressed as it is. */
async function decode(bytes: Buffer, { headers, url }: Exchange, maxBytes: number): Promise<Uint8Array> {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") {
    return bytes;
  }
  const zlib = await import("node:zlib");
  const decoders = { gzip: zlib.gunzip, "x-gzip": zlib.gunzip, deflate: zlib.inflate, br: zlib.brotliDecompress };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : undefined;
  try {
    if (decoder !== undefined) {
      return await promisify<Buffer, { maxOutputLength: number }, Buffer>(decoder)(bytes, {
        maxOutputLength: maxBytes,
      });
    }
  } catch (error) {
    if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") {
      throw tooLarge(url, maxBytes);
    }
  }
  throw new ArtifactError("InvalidAnswer", `${displayUrl(url)} is encoded in a way that cannot be read.`);
}
