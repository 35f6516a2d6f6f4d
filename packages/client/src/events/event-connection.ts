import type { HttpAnswer } from "../http-request.ts";
import { type OpenStream, toWireResponse, type WireResponse } from "../transport.ts";
import { createEventParser, type EventParser, type ServerEvent } from "./event-parser.ts";

/** Far more than any status or record has. */
const defaultMaxCharacters = 8 * 1024 * 1024;

export interface EventLimits {
  /** How long the control plane may take for the head of its answer. */
  readonly withinMs: number;
  /** Of one event. */
  readonly maxCharacters?: number;
}

/** One answer of `text/event-stream`, from the request to its end. */
export class EventConnection implements Disposable {
  readonly response: HttpAnswer;
  readonly #abort: AbortController;
  readonly #body: AsyncIterator<Uint8Array> | undefined;
  readonly #parser: EventParser;
  #events: ServerEvent[] = [];

  private constructor(response: HttpAnswer, abort: AbortController, maxCharacters: number) {
    this.#parser = createEventParser(maxCharacters);
    this.response = response;
    this.#abort = abort;
    this.#body = this.isEventStream ? response.body[Symbol.asyncIterator]() : undefined;
  }

  /** @throws ClientError unless it is answered with a success in time */
  static async open(
    open: OpenStream,
    request: Parameters<OpenStream>[0],
    limits: EventLimits,
  ): Promise<EventConnection> {
    const abort = new AbortController();
    const { signal } = request;
    const both = signal === undefined ? abort.signal : AbortSignal.any([abort.signal, signal]);
    const { withinMs, maxCharacters = defaultMaxCharacters } = limits;
    const response = await within(withinMs, abort, () => open({ ...request, signal: both }));
    return new EventConnection(response, abort, maxCharacters);
  }

  get isEventStream(): boolean {
    const { status, headers } = this.response;
    return status === 200 && /^text\/event-stream(?:;|$)/i.test(headers.get("content-type") ?? "");
  }

  /** Milliseconds to wait before connecting again, if the server has said so. */
  get retryMs(): number | undefined {
    return this.#parser.retryMs;
  }

  /**
   * The next event, or `undefined` at the end of the stream.
   * @param silenceMs how long nothing at all may arrive
   * @throws whatever breaks the connection, `TimeoutError` after too long a silence
   */
  async next(silenceMs: number): Promise<ServerEvent | undefined> {
    while (this.#events.length === 0) {
      const chunk = await within(silenceMs, this.#abort, async () => this.#body?.next());
      if (chunk === undefined || chunk.done === true) {
        return undefined;
      }
      this.#events = this.#parser.push(chunk.value).toReversed();
    }
    return this.#events.pop();
  }

  /** The first event, however much else arrives before it. @throws like `next`, `TimeoutError` when it is late */
  first(withinMs: number): Promise<ServerEvent | undefined> {
    return within(withinMs, this.#abort, () => this.next(withinMs));
  }

  /** All of an answer that is no stream of events. @throws whatever breaks the connection, `TimeoutError` when it is late */
  wholeAnswer(withinMs: number): Promise<WireResponse> {
    return within(withinMs, this.#abort, () => toWireResponse(this.response));
  }

  /** Waits for the end of the stream, though not for long. */
  async end(withinMs: number): Promise<void> {
    try {
      await within(withinMs, this.#abort, async () => {
        while ((await this.next(withinMs)) !== undefined);
      });
    } catch {
      // The connection is not needed any more.
    }
  }

  [Symbol.dispose](): void {
    this.#abort.abort();
  }
}

/** Aborts `work` when it takes too long. The timer does not outlive the work. */
async function within<T>(ms: number, abort: AbortController, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => abort.abort(new DOMException("Nothing arrived in time.", "TimeoutError")), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
