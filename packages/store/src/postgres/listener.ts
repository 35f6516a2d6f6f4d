import { Client } from "pg";
import type { Logger } from "@rad/core";
import type { StoreEvent } from "../store.ts";
import { connectionConfig } from "./database.ts";
import { channel, decodeNotification } from "./notifications.ts";

export interface ListenerOptions {
  readonly url: string;
  readonly log: Logger;
  /** The name under which this process announces; its own notifications are left out. */
  readonly receiver: string;
  readonly onEvents: (events: readonly StoreEvent[]) => void;
  /** After a gap in which notifications were lost. */
  readonly onReconnect: () => void;
}

const minBackoffMs = 100;
const maxBackoffMs = 5_000;
/** A connection can die without a word, when a cable or a NAT entry goes; asking now and then finds out. */
const heartbeatMs = 10_000;

/**
 * Keeps one connection on LISTEN. It is *connected*, or *waiting* to try again with growing pauses, or *closed*.
 */
export class Listener implements AsyncDisposable {
  readonly #options: ListenerOptions;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #backoffMs = minBackoffMs;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Makes the first connection, whose failure is the caller's. */
  async start(): Promise<void> {
    await this.#connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...connectionConfig(this.#options.url), query_timeout: 5_000 });
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload }) => {
      this.#options.onEvents(decodeNotification(this.#options.receiver, payload ?? ""));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      drop(client);
      throw error;
    }
    if (this.#closed) {
      drop(client);
      return;
    }
    this.#client = client;
    this.#backoffMs = minBackoffMs;
    this.#after(heartbeatMs, () => this.#heartbeat(client));
  }

  #lost(client: Client): void {
    if (this.#client !== client) {
      return; // never became ours, or was given up before
    }
    this.#client = undefined;
    drop(client);
    if (!this.#closed) {
      this.#options.log.warn("lost the connection that listens for changes; connecting again");
      this.#after(this.#backoffMs, () => this.#reconnect());
    }
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connect();
    } catch {
      this.#backoffMs = Math.min(this.#backoffMs * 2, maxBackoffMs);
      this.#after(this.#backoffMs, () => this.#reconnect());
      return;
    }
    this.#options.log.info("listening for changes again");
    this.#options.onReconnect();
  }

  async #heartbeat(client: Client): Promise<void> {
    try {
      await client.query("SELECT 1");
    } catch {
      this.#lost(client);
      return;
    }
    if (this.#client === client) {
      this.#after(heartbeatMs, () => this.#heartbeat(client));
    }
  }

  #after(ms: number, work: () => Promise<void>): void {
    clearTimeout(this.#timer);
    if (!this.#closed) {
      this.#timer = setTimeout(() => void work(), ms);
    }
  }
}

/** Ends a connection that may be half dead; nobody is left to care how that goes. */
function drop(client: Client): void {
  client.end().catch(() => undefined);
}
