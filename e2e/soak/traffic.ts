import { setTimeout as sleep } from "node:timers/promises";
import { radiusResource, radiusTemplate } from "@rad/control-plane/testing";
import type { JsonValue } from "@rad/core";
import { Dice } from "../fuzz/dice.ts";
import { group, request } from "../support/api.ts";
import type { Server } from "../support/api.ts";
import { steeredType } from "../support/handlers.ts";

const names = 200;
/** How much of what a caller could not send in time it makes up for: a slow second, and not the restart of a server. */
const mostBehindMs = 1_000;

/** Everyday work by many callers at once: writes, reads, lists, deletes, deployments, and requests that are refused. */
export class Traffic {
  readonly statuses = new Map<string, number>();
  done = 0;
  readonly #server: () => Server | undefined;
  readonly #stop = new AbortController();
  readonly #callers: Promise<void>[];
  /** Pause between two requests of a caller. */
  #pauseMs = 0;

  constructor(server: () => Server | undefined, callers: number) {
    this.#server = server;
    this.#callers = Array.from({ length: callers }, (_, index) => this.#call(new Dice(index + 1)));
  }

  /** Slows down to so many requests per second. */
  limitTo(perSecond: number): void {
    this.#pauseMs = (this.#callers.length / perSecond) * 1_000;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#callers);
  }

  async #call(dice: Dice): Promise<void> {
    let due = performance.now();
    while (!this.#stop.signal.aborted) {
      const server = this.#server();
      if (server === undefined) {
        await sleep(20);
        continue;
      }
      const outcome = await send(server, dice).catch(() => "no answer");
      this.done += 1;
      this.statuses.set(outcome, (this.statuses.get(outcome) ?? 0) + 1);
      const now = performance.now();
      due = Math.max(due + this.#pauseMs, now - mostBehindMs);
      if (due > now) {
        await sleep(due - now);
      }
    }
  }
}

async function send(server: Server, dice: Dice): Promise<string> {
  const [method, path, body, version] = nextRequest(dice);
  const { status } = await request(server, method, path, body, undefined, version);
  return `${method} ${status}`;
}

function nextRequest(dice: Dice): readonly [string, string, JsonValue | undefined, string] {
  const resource = `${group}/providers/${steeredType}/n${dice.number(names)}`;
  const version = "2025-01-01";
  const roll = dice.number(100);
  if (roll < 35) {
    return ["PUT", resource, { properties: { version: dice.number(1_000), workMs: dice.number(10) } }, version];
  }
  if (roll < 75) {
    return ["GET", resource, undefined, version];
  }
  if (roll < 85) {
    return ["DELETE", resource, undefined, version];
  }
  if (roll < 88) {
    return ["GET", `${group}/providers/${steeredType}`, undefined, version];
  }
  if (roll < 90) {
    return [
      "PUT",
      `${group}/providers/Microsoft.Resources/deployments/d${dice.number(100)}`,
      deployment(dice),
      "2020-10-01",
    ];
  }
  if (roll < 95) {
    return ["PUT", resource, { properties: { version: "no number" } }, version];
  }
  return ["DELETE", `${group}/providers/Nothing.Here/things/x`, undefined, version];
}

function deployment(dice: Dice): JsonValue {
  const name = `n${dice.number(names)}`;
  const resource = radiusResource(`${steeredType}@2025-01-01`, name, { properties: { version: dice.number(1_000) } });
  return { properties: { mode: "Incremental", template: radiusTemplate({ resources: { r: resource } }) } };
}
