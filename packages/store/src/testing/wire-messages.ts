/** A message of PostgreSQL's protocol, as it is on the wire. */
export interface WireMessage {
  /** One letter; empty for a client's first message, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A message from its parts: the type, then a length that counts itself, then the body. */
export function wireMessage(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type, "latin1"), length, body]);
}

/** The state of the session in a ReadyForQuery: `I` outside of a transaction, `T` in one, `E` in one that has failed. */
export function transactionStatus({ bytes }: WireMessage): string {
  return bytes.toString("latin1", 5, 6);
}

/** Splits the bytes of one direction into messages. Without TLS, which nobody needs on loopback. */
export class MessageSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #typeBytes: 0 | 1;

  constructor(from: "client" | "server") {
    this.#typeBytes = from === "client" ? 0 : 1;
  }

  /** @returns the messages that are complete now */
  push(chunk: Buffer): readonly WireMessage[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: WireMessage[] = [];
    for (;;) {
      const start = this.#typeBytes;
      const length = this.#rest.length < start + 4 ? Infinity : start + this.#rest.readInt32BE(start);
      if (this.#rest.length < length) {
        return messages;
      }
      messages.push({ type: this.#rest.toString("latin1", 0, start), bytes: this.#rest.subarray(0, length) });
      this.#rest = this.#rest.subarray(length);
      this.#typeBytes = 1;
    }
  }
}
