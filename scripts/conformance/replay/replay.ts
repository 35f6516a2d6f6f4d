import { setTimeout as sleep } from "node:timers/promises";
import type { JsonValue } from "@rad/core";
import { Captures } from "./captures.ts";
import { compareResponse, type Received } from "./compare.ts";
import type { Exchange, Session } from "./recording.ts";

export interface ReplayTarget {
  readonly url: string;
  readonly token: string;
}

export interface Difference {
  readonly file: string;
  readonly command: string;
  /** `GET /planes?…` */
  readonly request: string;
  readonly text: string;
}

/** A client would wait for ever; a comparison has to end. */
const maxRepeats = 600;
const repeatMs = 20;

/**
 * Sends what was recorded, in order, and tells how the answers differ. A session ends at its first exchange that differs:
 * what follows builds on it.
 */
export async function replay(sessions: readonly Session[], target: ReplayTarget): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const session of sessions) {
    const captures = new Captures([["server", target.url]]);
    for (const exchange of session.exchanges) {
      const found = await replayExchange(exchange, captures, target);
      if (found.length > 0) {
        const { file, command } = session;
        const request = `${exchange.request.method} ${exchange.request.url}`;
        differences.push(...found.map((text) => ({ file, command, request, text })));
        break;
      }
    }
  }
  return differences;
}

async function replayExchange(exchange: Exchange, captures: Captures, target: ReplayTarget): Promise<string[]> {
  try {
    for (let times = 1; ; times += 1) {
      const received = await send(exchange.request, captures, target);
      const isRunning =
        exchange.while !== undefined && compareResponse(exchange.while, received, captures.copy()).length === 0;
      if (!isRunning) {
        return compareResponse(exchange.response, received, captures);
      }
      if (times === maxRepeats) {
        return [`still as in "while" after ${maxRepeats} times`];
      }
      await sleep(repeatMs);
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function send(request: Exchange["request"], captures: Captures, target: ReplayTarget): Promise<Received> {
  const { method, body } = request;
  const response = await fetch(new URL(captures.fill(request.url), target.url), {
    method,
    headers: {
      authorization: `Bearer ${target.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, text]) => [name, captures.fill(text)])),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(captures.fillAll(body)) }),
    redirect: "error",
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : parse(text) };
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
