import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/**
 * Turns a JSON log line into one for people: time, level, message, then `key=value`. It stays a single line, with
 * control characters escaped, so that nothing in a message can fake another line or move the cursor.
 */
export function readableLine(line: string): string {
  const { time, level, message, ...fields } = parse(line);
  const head = [text(time), text(level).toUpperCase().padEnd(5), text(message)];
  const tail = Object.entries(fields).map(([key, value]) => `${escape(key)}=${show(value)}`);
  return `${[...head, ...tail].join(" ")}\n`;
}

function parse(line: string): JsonObject {
  const value: unknown = JSON.parse(line);
  return isJsonObject(value) ? value : {};
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? escape(value) : "";
}

function show(value: JsonValue): string {
  return typeof value === "string" && /^[\w./:@%+-]+$/.test(value) ? value : escapeC1(JSON.stringify(value));
}

function escape(value: string): string {
  return escapeC1(JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"'));
}

/** JSON escapes the control characters below the space; terminals obey those from 7F to 9F as well. */
function escapeC1(value: string): string {
  return value.replaceAll(/[\u007f-\u009f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
