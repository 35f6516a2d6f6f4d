import { ApiError, type JsonLimits, type JsonValue, Limiter, mainThread } from "@rad/core";
import type { RequestBytes } from "@rad/modules";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseJsonBody } from "../api/json-body.ts";

export interface BodyLimits extends JsonLimits {
  readonly maxBodyBytes: number;
  readonly requestTimeoutSeconds: number;
}

/** Methods whose bodies count where nothing else is said. */
const withBody: ReadonlySet<string> = new Set(["PUT", "POST", "PATCH", "DELETE"]);

export function mayHaveBody(method: string): boolean {
  return withBody.has(method);
}

/** To decode more takes about a millisecond. */
const largeBytes = 256 * 1024;

const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Values take many times the memory of their text, and one thread does all the work: more at once would be no faster. */
const largeBodies = new Limiter(3);

/**
 * Reads a JSON body and gives it to `answer`; all of it has to arrive in the time that a request may take. Large ones are
 * answered a few at a time.
 * @throws ApiError for too much, another type, no JSON, a connection that ends or takes too long.
 */
export async function withJsonBody<Result>(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  answer: (body: JsonValue | undefined) => Promise<Result>,
): Promise<Result> {
  const bytes = await receiveJson(request, response, limits);
  if (bytes === undefined || bytes.length <= largeBytes) {
    const body = bytes && parseJsonBody(bytes, limits);
    return await answer(body instanceof Promise ? await body : body);
  }
  return await largeBodies.run(async () => {
    if (response.destroyed) {
      throw connectionEnded();
    }
    // The texts of several large bodies that arrive together are not all decoded in one turn.
    await mainThread.giveWay();
    return await answer(await parseJsonBody(bytes, limits));
  });
}

async function receiveJson(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer | undefined> {
  if (!mayHaveBody(request.method ?? "")) {
    return undefined;
  }
  const type = request.headers["content-type"];
  if (type === undefined && !hasBody(request)) {
    return undefined;
  }
  // kubectl says nothing about what it sends with `--raw`.
  if (type !== undefined && !jsonType.test(type)) {
    throw new ApiError("UnsupportedMediaType", "Request bodies must be application/json.");
  }
  const deadline = performance.now() + limits.requestTimeoutSeconds * 1_000;
  const timeLeftMs = (): number => deadline - performance.now();
  return (
    arrived(request, limits.maxBodyBytes) ??
    (await collect(receive(request, response, { maxBytes: limits.maxBodyBytes, timeLeftMs })))
  );
}

export interface BytesOptions {
  readonly maxBytes: number;
  /** How long to wait for the next bytes. */
  readonly idleMs: number;
  /** Called when some arrived. */
  readonly onProgress: () => void;
}

/**
 * A body that is read on demand.
 * @throws ApiError when its length is known to be too large.
 */
export function requestBytes(request: IncomingMessage, response: ServerResponse, options: BytesOptions): RequestBytes {
  const { maxBytes, idleMs, onProgress } = options;
  refuseTooLong(request, maxBytes);
  let isTaken = false;
  const chunks = (): AsyncGenerator<Buffer> => {
    if (isTaken) {
      throw new Error("The body of a request can be read only once.");
    }
    isTaken = true;
    return receive(request, response, { maxBytes, timeLeftMs: () => idleMs, onProgress });
  };
  return { [Symbol.asyncIterator]: chunks, whole: () => collect(chunks()) };
}

/** Whether the headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** The whole body when it came along with the headers, as most do. */
function arrived(request: IncomingMessage, maxBytes: number): Buffer | undefined {
  // Between the last byte and `complete` Node lets others have their turn.
  const isWhole = request.complete || request.readableLength === Number(request.headers["content-length"]);
  if (!isWhole) {
    return undefined;
  }
  const bytes = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  if (bytes.length > maxBytes) {
    throw tooLarge();
  }
  return bytes;
}

interface ReceiveOptions {
  readonly maxBytes: number;
  readonly timeLeftMs: () => number;
  readonly onProgress?: () => void;
}

async function* receive(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, timeLeftMs, onProgress }: ReceiveOptions,
): AsyncGenerator<Buffer> {
  refuseTooLong(request, maxBytes);
  if (request.headers.expect !== undefined && request.httpVersion === "1.1") {
    response.writeContinue(); // every other expectation was refused before
  }
  // The request's end must not be the end of the connection, which still has to carry the answer.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await within(chunks.next(), timeLeftMs());
      if (done === true) {
        return;
      }
      size += value.length;
      if (size > maxBytes) {
        throw tooLarge();
      }
      onProgress?.();
      yield value;
    }
  } finally {
    // Not awaited: it comes to its end with the connection when nothing more arrives.
    chunks.return?.().catch(() => {});
  }
}

/** @throws ApiError when nothing arrives in time, or the connection ends. */
async function within<Result>(next: Promise<Result>, ms: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new ApiError("RequestTimeout", "The request did not arrive in time."));
  }, ms);
  try {
    return await Promise.race([next, late.promise]);
  } catch (error) {
    // Nothing but the connection fails here.
    throw error instanceof ApiError ? error : connectionEnded(error);
  } finally {
    clearTimeout(timer);
  }
}

function connectionEnded(cause?: unknown): ApiError {
  return new ApiError("InvalidRequestContent", "The connection ended before the request did.", { cause });
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) {
    all.push(chunk);
  }
  return Buffer.concat(all);
}

function refuseTooLong(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    throw tooLarge();
  }
}

function tooLarge(): ApiError {
  return new ApiError("RequestEntityTooLarge", "The request body is larger than this server accepts.");
}
