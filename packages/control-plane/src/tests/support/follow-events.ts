import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { JsonObject } from "@rad/core";

export interface SeenEvent {
  readonly id: string;
  readonly event: string;
  readonly data: JsonObject;
}

export interface FollowOptions {
  readonly token: string;
  readonly lastEventId?: string | undefined;
}

/** One connection that follows an operation. */
export class EventStream implements Disposable {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly events: SeenEvent[] = [];
  /** Resolves to all text once the other side has ended the stream, or somebody has cut it. */
  readonly closed: Promise<string>;
  readonly #response: IncomingMessage;
  #text = "";
  #read = 0;

  private constructor(response: IncomingMessage, onEvent: (seen: number) => boolean) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding("utf8");
    response.on("error", () => {}); // whoever waits for `closed` sees how far it got
    response.on("data", (chunk: string) => {
      this.#text += chunk;
      this.#readEvents(onEvent);
    });
    this.closed = new Promise((resolve) => void response.once("close", () => resolve(this.#text)));
  }

  /** @param onEvent whether to go on after so many events */
  static async open(
    url: string,
    { token, lastEventId }: FollowOptions,
    onEvent: (seen: number) => boolean = () => true,
  ): Promise<EventStream> {
    const sent = request(url, {
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
    }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return new EventStream(response, onEvent);
  }

  get text(): string {
    return this.#text;
  }

  /** Stops to read without hanging up. */
  pause(): void {
    this.#response.pause();
  }

  /** Hangs up. */
  [Symbol.dispose](): void {
    this.#response.destroy();
  }

  #readEvents(onEvent: (seen: number) => boolean): void {
    for (let end = this.#text.indexOf("\n\n", this.#read); end >= 0; end = this.#text.indexOf("\n\n", this.#read)) {
      const block = this.#text.slice(this.#read, end).split("\n");
      this.#read = end + 2;
      const field = (name: string): string | undefined =>
        block.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined) {
        this.events.push({
          id: field("id") ?? "",
          event: field("event") ?? "",
          data: JSON.parse(data) as JsonObject,
        });
        if (!onEvent(this.events.length)) {
          this.#response.destroy();
          return;
        }
      }
    }
  }
}

/** Follows to the end, hanging up after as many events as `cuts` says, and goes on with the last id each time. */
export async function followWithCuts(
  url: () => string,
  token: string,
  cuts: readonly number[],
): Promise<readonly SeenEvent[]> {
  const seen: SeenEvent[] = [];
  for (let round = 0; ; round += 1) {
    const lastEventId = seen.at(-1)?.id;
    const limit = cuts[round] ?? Infinity;
    const stream = await EventStream.open(url(), { token, lastEventId }, (count) => count < limit);
    await stream.closed;
    if (stream.status === 204) {
      return seen;
    }
    seen.push(...stream.events.slice(0, limit));
  }
}

/** The last state of every record, and of the status, which comes under its own id. */
export function lastStates(events: readonly SeenEvent[]): Record<string, JsonObject> {
  return Object.fromEntries(
    events
      .map(({ data }) => [(data["id"] as string).toLowerCase(), data] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
