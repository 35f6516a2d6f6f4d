import type { Answer } from "@rad/modules";
import { Readable } from "node:stream";

type Chunk = string | Uint8Array;

export function isStream(body: Answer["body"]): body is AsyncIterable<Chunk> {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

export interface AnswerChunks extends AsyncIterator<Chunk> {
  /** Ends the stream early, or before it started. */
  return(): Promise<IteratorResult<Chunk>>;
}

/**
 * Reads the stream of an answer. It fails where the stream is not what a response can carry: Node would throw where
 * nobody can catch it, and a body longer than its Content-Length would be taken for the next answer.
 *
 * No generator, because the `return` of a generator waits for a `next` that is under way.
 */
export function answerChunks(body: AsyncIterable<Chunk>, headers: Answer["headers"]): AnswerChunks {
  const iterator = body[Symbol.asyncIterator]();
  let left = declaredLength(headers);
  const over: IteratorResult<Chunk> = { done: true, value: undefined };
  return {
    next: async () => {
      const result = await iterator.next();
      if (result.done === true) {
        if (left !== undefined && left > 0) {
          throw new Error(`The answer ended ${left} bytes before its Content-Length.`);
        }
        return over;
      }
      const size = sizeOf(result.value);
      if (left !== undefined) {
        left -= size;
        if (left < 0) {
          throw new Error("The answer is longer than its Content-Length.");
        }
      }
      return result;
    },
    return: async () => {
      if (body instanceof Readable) {
        body.destroy(); // its iterator does so only between two chunks
      }
      await iterator.return?.();
      return over;
    },
  };
}

function declaredLength(headers: Answer["headers"]): number | undefined {
  const [, value] = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "content-length") ?? [];
  return value === undefined ? undefined : Number(value);
}

function sizeOf(chunk: unknown): number {
  if (typeof chunk === "string") {
    return Buffer.byteLength(chunk);
  }
  if (chunk instanceof Uint8Array) {
    return chunk.byteLength;
  }
  throw new TypeError(`The answer has a chunk that is neither text nor bytes but ${typeof chunk}.`);
}
