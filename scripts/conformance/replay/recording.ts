import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@rad/core";

/** One run of a client: what it sends, and what it needs to get back. docs/recorded-exchanges.md explains it. */
export interface Session {
  /** Where it was read. */
  readonly file: string;
  /** What the client was asked to do, such as `rad group create dev`. */
  readonly command: string;
  readonly exchanges: readonly Exchange[];
}

export interface Exchange {
  readonly request: {
    readonly method: string;
    /** A path of the server, or an absolute URL that an earlier response gave. */
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: JsonValue;
  };
  readonly response: ExpectedResponse;
  /** Sends the request again while the response looks like this. */
  readonly while?: ExpectedResponse;
}

export interface ExpectedResponse {
  readonly status?: number;
  /** `null` for one that must not be there; others are not looked at. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The whole body; `null` for none. */
  readonly body?: JsonValue;
  /** Members that the body has, among others; a list has items like these, among others and in any order. */
  readonly includes?: JsonObject;
}

export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

const members = {
  session: ["command", "exchanges"],
  exchange: ["request", "response", "while"],
  request: ["method", "url", "headers", "body"],
  response: ["status", "headers", "body", "includes"],
};

/** The sessions of a folder in the order of their file names. @throws RecordingError */
export async function readSessions(folder: string): Promise<Session[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new RecordingError(`${folder}: ${error.message}`);
  });
  const files = names.filter((name) => name.endsWith(".json")).toSorted();
  if (files.length === 0) {
    throw new RecordingError(`${folder}: there are no recorded sessions (*.json).`);
  }
  return await Promise.all(files.map(async (name) => readSession(name, await readFile(join(folder, name), "utf8"))));
}

function readSession(file: string, text: string): Session {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RecordingError(`${file}: ${(error as Error).message}`);
  }
  const session = object(value, file, members.session) as Partial<Session>;
  if (typeof session.command !== "string" || !Array.isArray(session.exchanges)) {
    throw new RecordingError(`${file}: needs "command" and a list of "exchanges".`);
  }
  session.exchanges.forEach((exchange: unknown, index) => checkExchange(exchange, `${file}: exchanges[${index}]`));
  return { ...(session as Session), file };
}

function checkExchange(value: unknown, at: string): void {
  const { request, response, while: repeated } = object(value, at, members.exchange);
  const { method, url } = object(request, `${at}.request`, members.request);
  if (typeof method !== "string" || typeof url !== "string") {
    throw new RecordingError(`${at}.request: needs "method" and "url".`);
  }
  object(response, `${at}.response`, members.response);
  if (repeated !== undefined) {
    object(repeated, `${at}.while`, members.response);
  }
}

/** A misspelled member would compare nothing, unnoticed. */
function object(value: unknown, at: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RecordingError(`${at}: must be an object.`);
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new RecordingError(`${at}: "${unknown}" is not known; there are ${known.join(", ")}.`);
  }
  return value as Record<string, unknown>;
}
