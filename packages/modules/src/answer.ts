import { inSlices, type JsonValue, printJson } from "@rad/core";

/** What a request is answered with, before it is written to a socket. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** JSON that is ready to send. */
  readonly json?: string;
  /**
   * Anything else, with its own content type in `headers`. A stream is read as fast as the caller takes it, and its
   * iterator's `return` is called when the caller disconnects. When reading it fails, the connection is cut.
   */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** Of a value that is small. */
export function jsonAnswer(status: number, value: JsonValue | object, headers?: Answer["headers"]): Answer {
  const json = JSON.stringify(value);
  return headers === undefined ? { status, json } : { status, headers, json };
}

/** Of a value that may be of any size: printed in slices. */
export async function largeJsonAnswer(status: number, value: JsonValue | object): Promise<Answer> {
  return { status, json: await inSlices(printJson(value)) };
}
