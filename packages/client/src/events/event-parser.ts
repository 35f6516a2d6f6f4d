/** One event of a stream. */
export interface ServerEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  readonly data: string;
  /** Where to go on from after it; empty when the stream has not said. */
  readonly lastEventId: string;
}

export interface EventParser {
  /** The events that are complete with these bytes. @throws RangeError when a line or an event is too long */
  push(bytes: Uint8Array): ServerEvent[];
  /** Milliseconds to wait before connecting again, once the stream has said so. */
  readonly retryMs: number | undefined;
}

/**
 * Reads `text/event-stream` as the HTML standard describes it (section 9.2.6): lines end with CR, LF or both, an empty
 * line ends an event, and an event that is cut off is none. Bytes may be split anywhere.
 */
export function createEventParser(maxCharacters: number): EventParser {
  const decoder = new TextDecoder(); // drops a byte order mark
  let line = "";
  let endedWithCr = false;
  let data: string[] = [];
  let dataLength = 0;
  let type = "";
  let lastEventId = "";
  let retryMs: number | undefined;

  return {
    push: (bytes) => {
      const events: ServerEvent[] = [];
      const text = decoder.decode(bytes, { stream: true });
      if (text === "") {
        return events;
      }
      // The second half of a line break whose first half came with the bytes before.
      const pieces = (endedWithCr && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\r|\n/);
      endedWithCr = text.endsWith("\r");
      for (const [index, piece] of pieces.entries()) {
        line += piece;
        limit(line.length + dataLength);
        if (index < pieces.length - 1) {
          const event = endLine(line);
          line = "";
          if (event !== undefined) {
            events.push(event);
          }
        }
      }
      return events;
    },
    get retryMs() {
      return retryMs;
    },
  };

  function limit(length: number): void {
    if (length > maxCharacters) {
      throw new RangeError(`An event has more than ${maxCharacters} characters.`);
    }
  }

  function endLine(text: string): ServerEvent | undefined {
    if (text === "") {
      return endEvent();
    }
    const colon = text.indexOf(":");
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + (text[colon + 1] === " " ? 2 : 1));
    readField(name, value);
    return undefined;
  }

  /** A comment is a field without a name. Fields that nobody knows count as comments. */
  function readField(name: string, value: string): void {
    switch (name) {
      case "event":
        type = value;
        break;
      case "data":
        data.push(value);
        dataLength += value.length + 1;
        break;
      case "id":
        lastEventId = value.includes("\0") ? lastEventId : value;
        break;
      case "retry":
        retryMs = /^\d+$/.test(value) ? Number(value) : retryMs;
        break;
      default:
    }
  }

  function endEvent(): ServerEvent | undefined {
    const event =
      data.length === 0 ? undefined : { type: type === "" ? "message" : type, data: data.join("\n"), lastEventId };
    type = "";
    data = [];
    dataLength = 0;
    return event;
  }
}
